# SPDX-License-Identifier: MIT
"""Adds the hang of an Intel GPU that gpu-collect(1) stored to reports of apport about graphics.

A hook for all packages: a hang shows in the kernel, in X, in a compositor or in Mesa, and the hook of
the kernel's own package belongs to that. The store can be read by root and by members of adm.
"""
import json
import re
import subprocess
import time

SECONDS = 600       # A hang that is older has another reason.
PACKAGES = re.compile(r"linux(-|$)|mesa|libdrm|xorg|xserver-|xwayland|mutter|gnome-shell|kwin|"
                      r"plasma-|sway|weston|intel-media|intel-compute|firmware-|gpuscope")
# Reports with one of these have a signature of their own.
SIGNED = ("DuplicateSignature", "OopsText", "CoreDump", "Stacktrace", "VmCore", "Traceback")


def collect(*arguments):
    """What gpu-collect writes; None if it is missing, fails, or may not read the store."""
    try:
        return subprocess.run(["gpu-collect", *arguments], check=True, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=300).stdout
    except (OSError, subprocess.SubprocessError):
        return None


def last_hang():
    """The record of the last hang since the machine started, if it was recent; or None."""
    with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
        boot = file.read().strip()
    text = collect("list", "--json", f"GPU_BOOT_ID={boot}")
    hangs = json.loads(text)["hangs"] if text else []
    hang = max(hangs, key=lambda hang: hang["last"], default=None)
    return hang if hang and time.time() - hang["last"] <= SECONDS else None


def is_about_graphics(report):
    """Is the report about the kernel, or about what uses the GPU?"""
    if report.get("ProblemType") in ("KernelOops", "KernelCrash"):
        return True
    return any(PACKAGES.match(report.get(key) or "") for key in ("Package", "SourcePackage"))


def add_info(report, ui=None):
    """Called by apport."""
    hang = last_hang() if is_about_graphics(report) else None
    if not hang:
        return
    report["GpuVerdict"] = hang["verdict"]
    report["GpuSignature"] = hang["signature"]
    report["GpuHangs"] = str(hang["count"])
    # Without memory and names. The limits of the store may have removed the capture.
    archive = collect("export", "-q", "-o", "-", str(hang["hang"]))
    if archive:
        report["GpuHang.tar.zst"] = archive
    if not any(key in report for key in SIGNED):
        report["DuplicateSignature"] = "gpuscope:" + hang["signature"]
