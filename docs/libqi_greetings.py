"""libqi goes deaf for ever when many clients greet it at once: python docs/libqi_greetings.py [CLIENTS [SECONDS]]."""

import os
import socket
import struct
import sys
import time

os.environ.setdefault("QI_LOG_LEVEL", "fatal")
import qi

# A call of service 0, action 8, with a map of no capabilities: what every connection of libqi begins with.
GREETING = struct.pack("<IIIHBBIII", 0x42ADDE42, 1, 4, 0, 1, 0, 0, 0, 8) + bytes(4)

number, seconds = (int(given) for given in (sys.argv[1:] + ["400", "100"][len(sys.argv) - 1 :])[:2])
session = qi.Session()
session.listenStandalone("tcp://127.0.0.1:0")
address = ("127.0.0.1", int(session.endpoints()[0].rpartition(":")[2]))


def answers():
    """Return whether a client that greets is answered within ten seconds."""
    with socket.create_connection(address) as client:
        client.settimeout(10)
        client.sendall(GREETING)
        try:
            return len(client.recv(28)) == 28
        except TimeoutError:
            return False


print("One client:", "answered" if answers() else "not answered")
clients = [socket.create_connection(address) for _ in range(number)]
for client in clients:
    client.sendall(GREETING)
time.sleep(seconds)
for client in clients:
    client.close()
print("One client after", len(clients), "at once:", "answered" if answers() else "not answered", flush=True)
os._exit(0)  # An orderly end would wait for the threads of libqi.
