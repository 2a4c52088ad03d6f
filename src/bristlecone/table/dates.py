"""Dates and times as numbers, and those numbers as people write them.

A date is a count of days since 1970-01-01 (unit "D"). A datetime is a count of microseconds since then, by the clock it
was written with (unit "us") or in UTC when it carried a time zone (unit "us UTC"). Whole seconds stay exact in float64
for 18,000 years around 1970, because a million is a multiple of 64.
"""

from __future__ import annotations

import datetime as dt
import math
from fractions import Fraction

import numpy as np

DAYS, MICROSECONDS, MICROSECONDS_UTC = "D", "us", "us UTC"
UNITS = (DAYS, MICROSECONDS, MICROSECONDS_UTC)
US_PER_DAY = 86_400_000_000
EPOCH = dt.datetime(1970, 1, 1)
# The seconds to days farther than this do not fit the 64 bits of numpy's datetimes.
FARTHEST_DAY = 100_000_000_000_000


def format_date(days: float) -> str:
    """A count of days as an ISO date, or as an exact ISO datetime when it lies inside a day; beyond every calendar the
    count itself.
    """
    if days != days or abs(days) >= FARTHEST_DAY:
        return _count(days, "days")
    if days == int(days):
        return str(np.datetime64(int(days), "D"))
    return _format_microseconds(Fraction(days) * US_PER_DAY)


def format_datetime(microseconds: float, unit: str = MICROSECONDS) -> str:
    """A count of microseconds as an exact ISO datetime; "Z" follows when the unit is UTC. Beyond every calendar the
    count itself.
    """
    if microseconds != microseconds or abs(microseconds) >= FARTHEST_DAY * US_PER_DAY:
        return _count(microseconds, "microseconds")
    return _format_microseconds(Fraction(microseconds)) + ("Z" if unit == MICROSECONDS_UTC else "")


def _count(number: float, unit: str) -> str:
    if math.isfinite(number):
        return f"{repr(number).removesuffix('.0')} {unit} after 1970-01-01"
    return repr(number)


def _format_microseconds(value: Fraction) -> str:
    seconds = value // 1_000_000
    rest = value / 1_000_000 - seconds
    text = str(np.datetime64(int(seconds), "s"))
    if rest == 0:
        return text
    places = 0
    while rest.denominator != 1:  # ends: the fraction of a float64 is dyadic
        rest, places = rest * 10, places + 1
    return f"{text}.{int(rest):0{places}d}"


def date_of(days: float) -> dt.date | str:
    """The date of a whole count of days; its ISO text beyond the years that Python's dates reach."""
    try:
        return EPOCH.date() + dt.timedelta(days=int(days))
    except OverflowError:
        return format_date(days)


def datetime_of(microseconds: float, unit: str) -> dt.datetime | str:
    """The datetime of a count of microseconds; its ISO text beyond the years that Python's datetimes reach."""
    zone = dt.UTC if unit == MICROSECONDS_UTC else None
    try:
        return (EPOCH + dt.timedelta(microseconds=int(microseconds))).replace(tzinfo=zone)
    except OverflowError:
        return format_datetime(microseconds, unit)


def days_of(value: dt.date) -> int:
    """Days from 1970-01-01 to a date."""
    return value.toordinal() - EPOCH.toordinal()


def microseconds_of(value: dt.datetime) -> int:
    """Microseconds from 1970-01-01 to a datetime, in UTC when it carries a time zone."""
    if value.tzinfo is not None:
        value = value.astimezone(dt.UTC).replace(tzinfo=None)
    return (value - EPOCH) // dt.timedelta(microseconds=1)
