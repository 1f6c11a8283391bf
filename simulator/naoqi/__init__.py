"""NAOqi's classic module with ALProxy, ALModule and ALBroker over libqi, for computers without its SDK.

Scripts with `from naoqi import ALProxy` use it with a simulated or a real robot, on Python 2.7 (with `qi==1.5.0`) and
3. If an SDK's `naoqi` is earlier on the path, Python imports that one. Behaviours on a simulated robot get the robot's
own module instead.
"""

from __future__ import absolute_import, division, print_function

from .classic import ALBehavior, ALBroker, ALDocable, ALModule, ALProxy

__all__ = ["ALBehavior", "ALBroker", "ALDocable", "ALModule", "ALProxy"]
