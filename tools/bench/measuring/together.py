"""What the four programs of a box take together."""

import time

from box import Box

from .mqtt import Broker
from .processes import memory


def memory_of_all(tools):
    """Proportional bytes of bridge, camera, page and fleet, after they have driven for some seconds.

    The mock machine has gone by then: no box has one, and it would share the pages of libraries.
    """
    with Broker() as broker, Box(tools.program.parent) as box:
        box.film(tools.sight)
        box.show()
        settings = box.folder / "mqtt.yaml"
        settings.write_text(f"broker: {{host: 127.0.0.1, port: {broker.port}}}\nfleet: {{court: court-1}}\n")
        fleet = box.start("ballmachine-mqtt", "run", "--config", settings, BALLMACHINE_MQTT_DIR=str(box.folder))
        box.see_player()
        box.reach("live")
        time.sleep(20)
        box.end(box.mock)
        programs = (box.service, box.camera, box.web, fleet)
        return sum(memory(one.identifier)["proportional"] for one in programs)
