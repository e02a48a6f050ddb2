#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Watches a register: prints its fields whenever they change, and at the end plots the value over
time if matplotlib is installed.

    watch.py live rcs0.RING_BUFFER_HEAD
    watch.py --count 100 --interval 0.05 --plot head.png live rcs0.RING_BUFFER_HEAD
"""
import argparse
import sys
import time

import gpuscope


def changes(before, now):
    """The fields of a reading that differ from those before, as text."""
    if now.value is None:
        return str(now)
    if not now.fields:
        return f"{now:#x}"
    old = {} if before is None or before.value is None else before.fields
    return ", ".join(f"{name} {field}" for name, field in now.fields.items()
                     if name not in old or old[name].value != field.value)


def watch(gpu, name, count, interval):
    """(SECONDS, READING) of each time."""
    start = time.monotonic()
    done = 0
    while count is None or done < count:
        if done:
            time.sleep(interval)
            gpu.rest()
        yield time.monotonic() - start, gpu[name]
        done += 1


def plot(points, name, path):
    try:
        import matplotlib
    except ImportError:
        print("no plot: python3-matplotlib is not installed", file=sys.stderr)
        return
    matplotlib.use("Agg")
    from matplotlib import pyplot
    # What could not be read leaves a gap.
    pyplot.step([seconds for seconds, value in points],
                [float("nan") if value is None else value for seconds, value in points])
    pyplot.xlabel("seconds")
    pyplot.ylabel(name)
    pyplot.savefig(path)
    print(f"plotted {len(points)} values to {path}")


def main():
    parser = argparse.ArgumentParser(description="Watch a register of an Intel GPU.")
    parser.add_argument("source")
    parser.add_argument("register")
    parser.add_argument("--count", type=int, help="read it so often; otherwise until Ctrl-C")
    parser.add_argument("--interval", type=float, default=1.0, help="seconds between readings")
    parser.add_argument("--plot", metavar="FILE", help="plot the values into FILE")
    options = parser.parse_args()
    points, last = [], None
    try:
        with gpuscope.open(options.source) as gpu:
            for seconds, reading in watch(gpu, options.register, options.count, options.interval):
                points.append((seconds, reading.value))
                if last is None or (last.state, last.value) != (reading.state, reading.value):
                    print(f"{seconds:8.2f}  {reading}  {changes(last, reading)}", flush=True)
                last = reading
    except KeyboardInterrupt:
        pass
    except gpuscope.Error as error:
        sys.exit(f"watch.py: {error}")
    if options.plot:
        plot(points, options.register, options.plot)


main()
