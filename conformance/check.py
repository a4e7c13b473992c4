#!/usr/bin/env python3
"""Runs the conformance files: docs/conformance.md says what is in them.

    check.py                          against the decoders below, which know nothing of this project's code
    check.py http://localhost:8080    against a service

Needs Python 3.9 and nothing else. Ends with status 1 where something differs, and says what.
"""

import dataclasses
import http.client
import json
import pathlib
import re
import sys
import typing
import urllib.parse

DECIMAL = "0123456789"
HEX = "0123456789abcdef"
SNO = "23456789abcdefghijklmnopqrstuvwx"
BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
BASE64URL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

FIRST_INEXACT = 1 << 53  # from here on, JSON has an integer as a string


def require(holds):
    if not holds:
        raise ValueError


# A form is two functions: one reads a text as a number, the bits of an ID, and one writes it. Reading raises a ValueError.


def number(text, digits):
    value = 0
    for character in text:
        value = value * len(digits) + digits.index(character)  # ValueError: none of the digits
    return value


def text(value, digits, length):
    return "".join(digits[value // len(digits) ** place % len(digits)] for place in reversed(range(length)))


def fixed(digits, length):
    def read(given):
        require(len(given) == length)
        return number(given, digits)

    return read, lambda value: text(value, digits, length)


def hexadecimal(length):
    def read(given):
        bare = given[2:] if given[:2] in ("0x", "0X", "\\x") else given
        require(len(bare) == length and bare.isascii())
        return number(bare.lower(), HEX)

    return read, lambda value: text(value, HEX, length)


def uuid(read_hex, write_hex):
    def read(given):
        require(re.fullmatch("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", given))
        return read_hex(given.replace("-", "").lower())

    def write(value):
        digits = write_hex(value)
        return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))

    return read, write


def decimal(least, beyond):
    def read(given):
        require(re.fullmatch("0|-?[1-9][0-9]*", given) and least <= int(given) < beyond)
        return int(given) % (1 << 64)  # a signed number of a column of 64 bits

    return read, str


def reverse(value, bits):
    return int(format(value, f"0{bits}b")[::-1], 2)


# The schemes.


@dataclasses.dataclass(frozen=True)
class Scheme:
    size: int  # in bytes
    layout: list  # name and bits of each field, the most significant first
    forms: dict  # name: read and write
    epoch_us: int
    tick_us: int
    allowed: typing.Callable = lambda value: True  # whether these bits are an ID
    made: typing.Callable = lambda fields: True  # whether an encoder makes an ID of these fields
    mirrored: int = 0  # how many of the first bits are written in reverse

    def mirror(self, value):
        """The bits with those of the time in their usual order; or back."""
        if not self.mirrored:
            return value
        rest = 8 * self.size - self.mirrored
        return reverse(value >> rest, self.mirrored) << rest | value & (1 << rest) - 1

    def encode(self, fields):
        value = 0
        for name, bits in self.layout:
            field = int(fields[name]) if name else 0
            require(0 <= field < 1 << bits)
            value = value << bits | field
        require(self.made(fields))
        return self.mirror(value)

    def decode(self, value):
        require(self.allowed(value))
        fields = {}
        rest = self.mirror(value)
        for name, bits in reversed(self.layout):
            if name:
                fields[name] = rest & (1 << bits) - 1
            rest >>= bits
        return {
            "fields": {name: exact(fields[name]) for name, _ in self.layout if name},
            "time_unix_us": exact(self.epoch_us + next(f for n, f in fields.items() if "timestamp" in n) * self.tick_us),
            "bytes": value.to_bytes(self.size, "big").hex(),
            "forms": {name: write(value) for name, (_, write) in self.forms.items()},
        }

    def read(self, form, given):
        value = self.forms[form][0](given)
        require(value < 1 << 8 * self.size)
        return self.decode(value)


def exact(value):
    return value if value < FIRST_INEXACT else str(value)


def sno():
    read, write = fixed(SNO, 16)
    return Scheme(
        size=10,
        layout=[("timestamp_units", 39), ("tick", 1), ("metabyte", 8), ("partition", 16), ("sequence", 16)],
        forms={
            "canonical": (read, write),
            "hex": hexadecimal(20),
            "uuid": uuid(
                lambda digits: read(bytes.fromhex(digits).decode("latin-1")),
                lambda value: write(value).encode("latin-1").hex(),
            ),
        },
        epoch_us=1_262_304_000_000_000,
        tick_us=4_000,
    )


def muid():
    return Scheme(
        size=16,
        layout=[("timestamp_us", 56), ("medallion", 52), ("offset", 20)],
        forms={
            "canonical": fixed(HEX.upper(), 32),
            "hex": (hexadecimal(32)[0], lambda value: text(value, HEX.upper(), 32)),
            "uuid": uuid(*fixed(HEX, 32)),
        },
        epoch_us=0,
        tick_us=1,
        made=lambda fields: 1 << 48 <= int(fields["medallion"]) < 1 << 49,
    )


def eightbyte():
    def read_base64url(given):
        value = fixed(BASE64URL, 11)[0](given)
        require(value & 3 == 0)
        return value >> 2

    return Scheme(
        size=8,
        layout=[("timestamp_ms", 42), ("sequence", 6), (None, 6), ("generator", 6), ("cluster", 4)],
        forms={
            "canonical": fixed(HEX, 16),
            "hex": hexadecimal(16),
            "base64url": (read_base64url, lambda value: text(value << 2, BASE64URL, 11)),
            "decimal": decimal(-(1 << 63), 1 << 64),
        },
        epoch_us=0,
        tick_us=1_000,
        allowed=lambda value: value & 0xFC00 == 0,
        mirrored=42,
    )


def uid60():
    def shown(value):  # the 32 bits of the time in reverse, then the other 28; or back
        return reverse(value >> 28, 32) << 28 | value & (1 << 28) - 1

    read, write = fixed(BASE64URL, 10)

    def read_hex(given):
        bare = given[2:] if given[:2] in ("0x", "0X", "\\x") else given
        if len(bare) == 16:
            return hexadecimal(16)[0](given)
        return hexadecimal(15)[0](given) if bare != given else fixed(HEX, 15)[0](given)

    return Scheme(
        size=8,
        layout=[(None, 4), ("timestamp_s", 32), ("worker", 9), ("sequence", 10), ("random", 9)],
        forms={
            "canonical": (lambda given: shown(read(given)), lambda value: write(shown(value))),
            "decimal": decimal(0, 1 << 60),
            "hex": (read_hex, lambda value: text(value, HEX, 15)),
        },
        epoch_us=1_519_862_400_000_000,
        tick_us=1_000_000,
        allowed=lambda value: value < 1 << 60,
    )


def gid():
    def read(given):
        require(len(given) == 24 and given[10] == "-")
        time, rest = number(given[:10], BASE58), number(given[11:], BASE58)
        require(time < 1 << 56 and rest < 1 << 72)
        return time << 72 | rest

    def write(value):
        return text(value >> 72, BASE58, 10) + "-" + text(value & (1 << 72) - 1, BASE58, 13)

    return Scheme(
        size=16,
        layout=[("prefix", 8), ("timestamp_ms", 48), ("second_prefix", 8), ("random", 64)],
        forms={"canonical": (read, write), "hex": hexadecimal(32), "uuid": uuid(*fixed(HEX, 32))},
        epoch_us=0,
        tick_us=1_000,
        allowed=lambda value: value >> 120 in (0x80, 0xA0, 0xC0) and value >> 64 & 0xFF >= 0x80,
        made=lambda fields: fields["prefix"] == fields["second_prefix"],
    )


SCHEMES = {"sno": sno(), "muid": muid(), "eightbyte": eightbyte(), "uid60": uid60(), "gid": gid()}


# What is checked.


class Differences:
    def __init__(self, scheme):
        self.scheme = scheme
        self.checks = 0
        self.found = []

    def same(self, expected, said, what):
        self.checks += 1
        if expected != said:
            self.found.append(f"{self.scheme}: {what}: expected {expected!r}, not {said!r}")

    def refused(self, read, what):
        """Wants a ValueError."""
        self.checks += 1
        try:
            self.found.append(f"{self.scheme}: {what}: expected a refusal, not {read()!r}")
        except ValueError:
            pass


def said_by(reader, form, given):
    try:
        return reader(form, given)
    except ValueError:
        return "a refusal"


def texts_of(file, reader, differences):
    """Checks what is said of texts: `reader` takes a form and a text, and gives fields, forms and more, or raises."""
    for valid in file["valid"]:
        for form, given in valid["forms"].items():
            said = said_by(reader, form, given)
            expected = {key: valid[key] for key in said} if isinstance(said, dict) else valid
            differences.same(expected, said, f"{form} {given!r}")
    for also in file["also_read"]:
        said = said_by(reader, also["form"], also["text"])
        differences.same(also["canonical"], said["forms"]["canonical"] if isinstance(said, dict) else said, repr(also["text"]))
    for invalid in file["invalid"]:
        if "type" not in invalid:  # else the text is valid, and only a program that wants this type refuses it
            differences.refused(lambda: reader(invalid["form"], invalid["text"]), f"{invalid['form']} {invalid['text']!r}")


def bits_of(file, scheme, differences):
    """Checks what is said of bytes and fields, and what sorts."""
    for valid in file["valid"]:
        value = int(valid["bytes"], 16)
        differences.same({key: valid[key] for key in scheme.decode(value)}, scheme.decode(value), valid["bytes"])
        if valid.get("decode_only"):
            differences.refused(lambda: scheme.encode(valid["fields"]), str(valid["fields"]))
        else:
            differences.same(value, scheme.encode(valid["fields"]), str(valid["fields"]))
    for invalid in file["invalid_bytes"]:
        given = bytes.fromhex(invalid["bytes"])
        differences.refused(lambda: require(len(given) == scheme.size) or scheme.decode(int.from_bytes(given, "big")), invalid["bytes"])
    for invalid in file["invalid_fields"]:
        differences.refused(lambda: scheme.encode(invalid["fields"]), str(invalid["fields"]))
    order_of(file["order"], scheme, differences)


def order_of(order, scheme, differences):
    def by(key, canonical):
        said = scheme.read("canonical", canonical)
        if key == "bytes":
            return said["bytes"]
        if key == "time":
            return int(said["time_unix_us"])
        if key == "signed":
            return int.from_bytes(bytes.fromhex(said["bytes"]), "big", signed=True)
        return said["forms"][key]

    for key in ["bytes"] + order["alike"]:
        differences.same(order["sorted"], sorted(order["sorted"], key=lambda canonical: by(key, canonical)), f"sorted by {key}")
    for pair in order.get("otherwise", []):
        smaller, larger = pair["smaller"], pair["larger"]
        differences.same(True, by("bytes", smaller) < by("bytes", larger), f"{smaller} before {larger}")
        differences.same(True, by(pair["by"], smaller) > by(pair["by"], larger), f"{larger} before {smaller} by {pair['by']}")
    if "sorted_by_time" in order:
        sorted_by_time = sorted(order["sorted"], key=lambda canonical: (by("time", canonical), by("bytes", canonical)))
        differences.same(order["sorted_by_time"], sorted_by_time, "sorted by time, then by bytes")


def sent_in_paths(file):
    """Leaves out the texts that no path can have: an empty one, and those with characters that web servers refuse."""

    def sent(entries):
        return [entry for entry in entries if entry["text"] and not {"\\", "\0"} & set(entry["text"])]

    return file | {"also_read": sent(file["also_read"]), "invalid": sent(file["invalid"])}


class Service:
    """Reads texts over HTTP."""

    def __init__(self, url):
        parts = urllib.parse.urlsplit(url)
        connect = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self.connection = connect(parts.netloc, timeout=30)
        self.base = parts.path.rstrip("/")

    def reader(self, scheme):
        def read(form, given):
            self.connection.request("GET", f"{self.base}/ids/{scheme}/{urllib.parse.quote(given, safe='')}?form={form}")
            answer = self.connection.getresponse()
            body = answer.read()
            require(answer.status != 400)
            if answer.status != 200:
                raise SystemExit(f"{answer.status} {answer.reason}: {body.decode()}")
            said = json.loads(body)
            return {
                "fields": {field["name"]: field["value"] for field in said["fields"]},
                "forms": {"canonical": said["id"], **said["forms"]},
            }

        return read


def main(arguments):
    service = Service(arguments[0]) if arguments else None
    found = []
    for name, scheme in SCHEMES.items():
        file = json.loads((pathlib.Path(__file__).parent / f"{name}.json").read_text("utf-8"))
        differences = Differences(name)
        differences.same(name, file["scheme"], "scheme")
        if service:
            texts_of(sent_in_paths(file), service.reader(name), differences)
        else:
            texts_of(file, scheme.read, differences)
            bits_of(file, scheme, differences)
        print(f"{name}: {differences.checks} checks, {len(differences.found)} differences")
        found += differences.found
    for difference in found:
        print(difference)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
