/* SPDX-License-Identifier: MIT */
#include "machine.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ARGUMENTS_MAX 64

struct arguments {
	const char *items[ARGUMENTS_MAX + 1];
	size_t count;
	char text[16][512];
	size_t texts;
};

static void add(struct arguments *a, const char *item)
{
	if (a->count < ARGUMENTS_MAX)
		a->items[a->count++] = item;
}

static void add_format(struct arguments *a, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	vsnprintf(a->text[a->texts], sizeof(a->text[0]), format, list);
	va_end(list);
	add(a, a->text[a->texts++]);
}

/*
 * Always emulated: nested virtualisation may exist and yet hang. On a processor that does not look
 * like a guest's, i915 reads a GPU's memory as on silicon: 16 bytes at a time, not one.
 */
static const char *const fixed[] = {
	"qemu-system-x86_64", "-accel", "tcg", "-display", "none", "-nodefaults", "-vga", "none",
	"-no-reboot", "-cpu", "qemu64,+ssse3,+sse4.1,-hypervisor", "-M",
};

/* Descriptors that QEMU inherits. */
struct inherited {
	int agent, qtest, monitor, gpus[GPUS_MAX];
};

static void describe(struct arguments *a, const struct boot *boot, const struct inherited *fds)
{
	for (size_t i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++)
		add(a, fixed[i]);
	/*
	 * For each device behind the IOMMU that a guest turns on, QEMU 7.2 builds its memory map
	 * anew, and it may free the map it is still writing through: the fewer devices, the rarer.
	 */
	add_format(a, "%s,memory-backend=mem", boot->iommu ? "q35,sata=off,smbus=off" : "pc");
	if (boot->iommu) {
		add(a, "-device");
		add(a, "intel-iommu");
	}
	add(a, "-object");
	add_format(a, "memory-backend-memfd,id=mem,size=%uM,share=on", boot->memory);
	add(a, "-m");
	add_format(a, "%u", boot->memory);
	add(a, "-serial");
	add_format(a, "file:%s", boot->console);
	add(a, "-chardev");
	add_format(a, "socket,id=agent,fd=%d", fds->agent);
	add(a, "-serial");
	add(a, "chardev:agent");
	add(a, "-chardev");
	add_format(a, "socket,id=qtest,fd=%d", fds->qtest);
	add(a, "-chardev");
	add_format(a, "socket,id=monitor,fd=%d", fds->monitor);
	add(a, "-mon");
	add(a, "chardev=monitor,mode=readline");
	add(a, "-object");
	add(a, "qtest,id=qtest0,chardev=qtest,log=/dev/null");
	add(a, "-kernel");
	add(a, boot->kernel);
	add(a, "-initrd");
	add(a, boot->initrd);
	add(a, "-append");
	add_format(a, "console=ttyS0 quiet panic=-1 cryptomgr.notests %s", boot->append);
	if (boot->disk) {
		add(a, "-drive");
		add_format(a, "if=virtio,format=raw,snapshot=on,file=%s", boot->disk);
	}
	for (unsigned i = 0; i < boot->count; i++) {
		add(a, "-device");
		add_format(a, "x-pci-proxy-dev,id=gpu%u,addr=%u,fd=%d", i, 2 + i,
			   fds->gpus[i]);
	}
}

static void become_qemu(const struct boot *boot, const struct inherited *fds)
{
	struct arguments a = { 0 };
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	dup2(null, 0);
	dup2(2, 1);
	fcntl(fds->agent, F_SETFD, 0);
	fcntl(fds->qtest, F_SETFD, 0);
	fcntl(fds->monitor, F_SETFD, 0);
	for (unsigned i = 0; i < boot->count; i++)
		fcntl(fds->gpus[i], F_SETFD, 0);
	/* It reads freed memory (see above). Meson asks for such memory to be overwritten. */
	unsetenv("MALLOC_PERTURB_");
	describe(&a, boot, fds);
	execvp(a.items[0], (char **)a.items);
	_exit(127);
}

/* ---- waiting, with the GPUs served ---------------------------------------------------------- */

/* Until `fd` has something to read, or an engine needs attention. */
static const char *serve(struct machine *m, int fd, bool *answered)
{
	enum { LOOK_AGAIN = 5 };	/* milliseconds: an engine waits, or its work is long */
	struct pollfd fds[GPUS_MAX + 1];
	double left = m->deadline - seconds();
	bool working = false;
	int ready;

	fds[m->count] = (struct pollfd){ fd, POLLIN, 0 };
	for (unsigned i = 0; i < m->count; i++)
		fds[i] = (struct pollfd){ m->sockets[i], POLLIN, 0 };
	for (unsigned i = 0; i < m->count; i++)
		working |= engines_tick(m->gpus[i]);
	ready = left <= 0 ? 0 : poll(fds, m->count + 1, working ? LOOK_AGAIN : (int)(left * 1000));
	if (ready < 0 || left <= 0 || (!ready && !working))
		return "took too long";
	for (unsigned i = 0; i < m->count; i++)
		if (fds[i].revents && !proxy_serve(m->gpus[i], m->sockets[i]))
			return "QEMU has ended";
	*answered = fds[m->count].revents != 0;
	return NULL;
}

static const char *receive(struct machine *m, void *buffer, size_t size)
{
	char *bytes = buffer;

	while (size) {
		bool ready = false;
		const char *problem = serve(m, m->agent, &ready);
		ssize_t length;

		if (problem)
			return problem;
		if (!ready)
			continue;
		length = recv(m->agent, bytes, size, 0);
		if (length <= 0)
			return "the guest has ended";
		bytes += length;
		size -= (size_t)length;
	}
	return NULL;
}

static const char *receive_line(struct machine *m, char *line, size_t size)
{
	const char *problem;

	for (size_t i = 0; i < size; i++) {
		problem = receive(m, line + i, 1);
		if (problem)
			return problem;
		if (line[i] == '\n') {
			line[i] = '\0';
			return NULL;
		}
	}
	return "the guest answers nonsense";
}

/* What a guest prints first. */
static const char *receive_ready(struct machine *m)
{
	char line[64];
	const char *problem = receive_line(m, line, sizeof(line));

	return problem ? problem : strcmp(line, "ready") ? "the guest answers nonsense" : NULL;
}

static const char *receive_text(struct machine *m, struct text *text, size_t length)
{
	text->bytes = malloc(length + 1);
	if (!text->bytes)
		abort();
	text->bytes[length] = '\0';
	text->length = length;
	return receive(m, text->bytes, length);
}

/* ---- commands ------------------------------------------------------------------------------- */

void reply_clear(struct reply *reply)
{
	free(reply->out.bytes);
	free(reply->err.bytes);
	*reply = (struct reply){ 0 };
}

static bool send_line(struct machine *m, const char *line)
{
	size_t length = strlen(line);

	return send(m->agent, line, length, MSG_NOSIGNAL) == (ssize_t)length &&
	       send(m->agent, "\n", 1, MSG_NOSIGNAL) == 1;
}

/* The answer: "STATUS OUT ERR" with the lengths of stdout and stderr, which follow. */
const char *machine_run(struct machine *m, const char *command, struct reply *reply)
{
	size_t out = 0, err = 0;
	const char *problem;
	double start = seconds();
	char line[128];

	reply_clear(reply);
	log_text(&m->log, command);
	m->log.mark = m->log.count;
	m->commands++;
	if (!send_line(m, command))
		return "the guest has ended";
	problem = receive_line(m, line, sizeof(line));
	if (!problem && sscanf(line, "%d %zu %zu", &reply->status, &out, &err) != 3)
		problem = "the guest answers nonsense";
	if (!problem)
		problem = receive_text(m, &reply->out, out);
	if (!problem)
		problem = receive_text(m, &reply->err, err);
	reply->time = seconds() - start;
	return problem;
}

const char *machine_crash(struct machine *m)
{
	log_text(&m->log, "crash");
	return send_line(m, "echo c >/proc/sysrq-trigger") ? receive_ready(m)
							   : "the guest has ended";
}

/* ---- QEMU's monitor ------------------------------------------------------------------------- */

/* Whatever it prints before its next prompt. */
static const char *monitor_read(struct machine *m, char *text, size_t size)
{
	size_t length = 0;

	for (text[0] = '\0'; !strstr(text, "(qemu) "); text[length] = '\0') {
		bool ready = false;
		const char *problem = serve(m, m->monitor, &ready);
		ssize_t got;

		if (problem)
			return problem;
		if (!ready)
			continue;
		/* It echoes what is typed, letter by letter: the end counts. */
		if (length > size / 2) {
			memmove(text, text + length - 16, 16);
			length = 16;
		}
		got = recv(m->monitor, text + length, size - length - 1, 0);
		if (got <= 0)
			return "QEMU has ended";
		length += (size_t)got;
	}
	return NULL;
}

const char *machine_dump(struct machine *m, const char *option, const char *path)
{
	const char *problem;
	char line[600], text[4096];
	int length;

	if (!m->prompted)
		problem = monitor_read(m, text, sizeof(text));
	else
		problem = NULL;
	m->prompted = true;
	if (problem)
		return problem;
	length = snprintf(line, sizeof(line), "dump-guest-memory %s %s\n", option, path);
	if (send(m->monitor, line, (size_t)length, MSG_NOSIGNAL) != length)
		return "QEMU has ended";
	problem = monitor_read(m, text, sizeof(text));
	return problem ? problem : strstr(text, "Error") ? "QEMU cannot dump its memory" : NULL;
}

/* ---- life ----------------------------------------------------------------------------------- */

static bool sockets_open(int pair[2])
{
	return !socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair);
}

/*
 * An interrupt is a write to memory, or a pin of the I/O APIC: QEMU's test protocol can do either.
 */
static void interrupt(struct gpu *gpu, void *data)
{
	struct machine *m = data;
	uint32_t address;
	uint16_t message;
	char line[200], answers[4096];
	int length;

	while (recv(m->qtest, answers, sizeof(answers), MSG_DONTWAIT) > 0)
		;
	if (gpu_message(gpu, &address, &message))
		length = snprintf(line, sizeof(line), "writel 0x%x 0x%x\n", address, message);
	else
		length = snprintf(line, sizeof(line), "set_irq_in %s unnamed-gpio-in 11 1\n"
				  "set_irq_in %s unnamed-gpio-in 11 0\n", "/machine/i440fx/ioapic",
				  "/machine/i440fx/ioapic");
	if (send(m->qtest, line, (size_t)length, MSG_NOSIGNAL) != length)
		log_text(&m->log, "an interrupt is lost");
}

static const char *start_qemu(struct machine *m, const struct boot *boot)
{
	int agent[2], gpu[2], qtest[2], monitor[2];
	struct inherited theirs = { 0 };

	if (!sockets_open(agent) || !sockets_open(qtest) || !sockets_open(monitor))
		return strerror(errno);
	m->monitor = monitor[0];
	m->prompted = false;
	theirs.monitor = monitor[1];
	m->agent = agent[0];
	m->qtest = qtest[0];
	theirs.agent = agent[1];
	theirs.qtest = qtest[1];
	for (unsigned i = 0; i < boot->count; i++) {
		if (!sockets_open(gpu))
			return strerror(errno);
		m->sockets[i] = gpu[0];
		theirs.gpus[i] = gpu[1];
		m->gpus[i] = gpu_new(boot->platforms[i], i, &m->log);
		m->gpus[i]->submitted = boot->submitted;
		m->gpus[i]->submitted_data = boot->submitted_data;
		m->gpus[i]->interrupt = interrupt;
		m->gpus[i]->interrupt_data = m;
		m->count++;
	}
	m->qemu = fork();
	if (!m->qemu)
		become_qemu(boot, &theirs);
	close(agent[1]);
	close(qtest[1]);
	close(monitor[1]);
	for (unsigned i = 0; i < boot->count; i++)
		close(theirs.gpus[i]);
	return m->qemu < 0 ? strerror(errno) : NULL;
}

static double processor_time(clockid_t clock)
{
	struct timespec time;

	if (clock_gettime(clock, &time))
		return 0;
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

double machine_used(const struct machine *m)
{
	clockid_t clock;

	if (clock_getcpuclockid(m->qemu, &clock))
		return 0;
	return processor_time(clock) + processor_time(CLOCK_PROCESS_CPUTIME_ID) - m->used;
}

static const char *boot_once(struct machine *m, const struct boot *boot)
{
	const char *problem = start_qemu(m, boot);

	return problem ? problem : receive_ready(m);
}

/*
 * QEMU 7.2 was seen to crash in its own threads while a machine boots, or to stop, once in hundreds
 * of boots and more often on a busy machine: the test begins after that.
 */
#define BOOTS 3
#define RUN_LIMIT 480		/* seconds: including everything in it */

const char *machine_boot(struct machine *m, const struct boot *boot)
{
	const char *problem = NULL;

	for (unsigned i = 0; i < BOOTS; i++) {
		if (problem) {
			printf("# %s while the machine booted: once more\n", problem);
			machine_stop(m);
		}
		m->booted = seconds();
		m->used = processor_time(CLOCK_PROCESS_CPUTIME_ID);
		m->commands = 0;
		m->deadline = m->booted + boot->limit / (i + 1 < BOOTS ? 2 : 1);
		problem = boot_once(m, boot);
		if (!problem)
			break;
	}
	m->deadline = m->booted + RUN_LIMIT;
	return problem;
}

void machine_stop(struct machine *m)
{
	if (m->qemu > 0) {
		kill(m->qemu, SIGKILL);
		waitpid(m->qemu, NULL, 0);
		close(m->agent);
		close(m->qtest);
		close(m->monitor);
	}
	for (unsigned i = 0; i < m->count; i++) {
		close(m->sockets[i]);
		gpu_free(m->gpus[i]);
	}
	m->count = 0;
	m->qemu = 0;
}
