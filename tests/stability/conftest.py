"""No deadlines for hypothesis: the first call of a kernel compiles it."""

from hypothesis import settings

settings.register_profile("compiling", deadline=None)
settings.load_profile("compiling")
