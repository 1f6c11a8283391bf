"""libqi's protocol in Python, client and server, with the names of libqi's own module `qi`.

Scripts that `import qi` run after `import qiwire as qi`. See docs/libqi.md for the protocol and the missing parts.
"""

from __future__ import annotations

from . import logging as logging
from .futures import Future, FutureState, FutureTimeout, PeriodicTask, Promise, futureBarrier, runAsync
from .logging import Logger
from .metaobject import (
    AnyArguments as AnyArguments,
    Bool as Bool,
    Buffer as Buffer,
    Double as Double,
    Dynamic as Dynamic,
    Float as Float,
    Int8 as Int8,
    Int16 as Int16,
    Int32 as Int32,
    Int64 as Int64,
    List as List,
    Map as Map,
    Object as Object,
    Optional as Optional,
    String as String,
    Struct as Struct,
    UInt8 as UInt8,
    UInt16 as UInt16,
    UInt32 as UInt32,
    UInt64 as UInt64,
    Void as Void,
    bind,
    multiThreaded,
    nobind,
    singleThreaded,
)
from .objects import Property, Signal
from .session import Application, Session

ApplicationSession = Application
#: The version of libqi whose module this one is like.
__version__ = "3.1.5"

#: The modules are for programs that serve or read messages by themselves; the types are libqi's.
__all__ = [
    "Application",
    "ApplicationSession",
    "Future",
    "FutureState",
    "FutureTimeout",
    "Logger",
    "PeriodicTask",
    "Promise",
    "Property",
    "Session",
    "Signal",
    "addresses",
    "bind",
    "connection",
    "futureBarrier",
    "futures",
    "limits",
    "logging",
    "messages",
    "metaobject",
    "multiThreaded",
    "nobind",
    "objects",
    "remote",
    "runAsync",
    "server",
    "singleThreaded",
    "values",
]
