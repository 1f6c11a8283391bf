"""libqi's protocol in Python, client and server, with the names of libqi's own module `qi`.

Scripts that `import qi` run after `import qiwire as qi`. See docs/libqi.md for the protocol and what is missing.
"""

from __future__ import annotations

from .futures import Future, FutureState, FutureTimeout, PeriodicTask, Promise, futureBarrier, runAsync
from .metaobject import (
    AnyArguments,
    Bool,
    Buffer,
    Double,
    Dynamic,
    Float,
    Int8,
    Int16,
    Int32,
    Int64,
    List,
    Map,
    Object,
    Optional,
    String,
    Struct,
    UInt8,
    UInt16,
    UInt32,
    UInt64,
    Void,
    bind,
    multiThreaded,
    nobind,
    singleThreaded,
)
from .objects import Property, Signal
from .session import Application, Session

ApplicationSession = Application

__all__ = [
    "AnyArguments",
    "Application",
    "ApplicationSession",
    "Bool",
    "Buffer",
    "Double",
    "Dynamic",
    "Float",
    "Future",
    "FutureState",
    "FutureTimeout",
    "Int16",
    "Int32",
    "Int64",
    "Int8",
    "List",
    "Map",
    "Object",
    "Optional",
    "PeriodicTask",
    "Promise",
    "Property",
    "Session",
    "Signal",
    "String",
    "Struct",
    "UInt16",
    "UInt32",
    "UInt64",
    "UInt8",
    "Void",
    "bind",
    "futureBarrier",
    "multiThreaded",
    "nobind",
    "runAsync",
    "singleThreaded",
]
