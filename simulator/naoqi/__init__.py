"""The classic interface to NAO, for computers without NAOqi's own SDK: ALProxy, ALModule and ALBroker over libqi.

Scripts that say `from naoqi import ALProxy` run with it on a simulated robot, or on a real one, under Python 2.7 (with
`qi==1.5.0`) and 3. It stands in where no SDK is installed: with an SDK's `naoqi` earlier on the path, that one is
imported. Inside a behaviour on a simulated robot neither is: scripts there get the robot's own.
"""

from __future__ import absolute_import, division, print_function

from .broker import ALBroker
from .module import ALBehavior, ALDocable, ALModule
from .proxy import ALProxy

__all__ = ["ALBehavior", "ALBroker", "ALDocable", "ALModule", "ALProxy"]
