"""What all tests share: no test fails for being slow, a machine may be busy.

The cases that hypothesis makes up are the same in every run, so that a test which fails has been failed by a change;
`make search` makes up new ones, and a failure that it finds becomes an example of its test or mends the code.
"""

from hypothesis import HealthCheck, settings

UNHURRIED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

settings.register_profile("repeatable", UNHURRIED, derandomize=True)
settings.register_profile("search", UNHURRIED)
settings.load_profile("repeatable")
