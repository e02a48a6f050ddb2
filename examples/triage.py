#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sorts a folder of dumps: puts the verdict of each file into a table of SQLite, and prints how
often each signature occurs, the most frequent first.

    triage.py /var/crash
    triage.py --database hangs.db dumps/; sqlite3 hangs.db "select * from hangs"
"""
import argparse
import pathlib
import sqlite3

import gpuscope

TABLE = "create table if not exists hangs (" \
    "file text primary key, platform text, signature text, verdict text, problem text)"
GROUPED = "select count(*), signature, min(file) from hangs where signature is not null " \
    "group by signature order by count(*) desc, signature"


def row_of(path):
    """A row for the table. What is no dump, or shows no hang, gets a problem instead."""
    try:
        with gpuscope.open(path) as gpu:
            hang = gpu.hang()
            platform = gpu.platform.name if gpu.platform else None
            return str(path), platform, hang.signature, hang.verdict, None
    except gpuscope.Error as error:
        return str(path), None, None, None, str(error)


def main():
    parser = argparse.ArgumentParser(description="Sort dumps of hangs by their signature.")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--database", default=":memory:", help="keep the table in this file")
    options = parser.parse_args()
    table = sqlite3.connect(options.database)
    table.execute(TABLE)
    for path in sorted(path for path in options.folder.rglob("*") if path.is_file()):
        table.execute("insert or replace into hangs values (?, ?, ?, ?, ?)", row_of(path))
        table.commit()
    for count, signature, example in table.execute(GROUPED):
        print(f"{count:5}  {signature}  {example}")
    for path, problem in table.execute("select file, problem from hangs where problem is not null"):
        print(f"    -  {path}: {problem}")


main()
