"""What a court is in a real Home Assistant, looked at from its inside. `story' starts it.

Prints a line for each thing that was looked at: `ok' or `FAILED', and what; and `please' with a deed of the other side,
which then writes a line.
"""

import asyncio
import logging
import shutil
import sys
import tempfile
import time
from pathlib import Path

import paho.mqtt.client as paho
from homeassistant import bootstrap, runner
from homeassistant.components import mqtt, persistent_notification
from homeassistant.core import callback
from homeassistant.helpers import device_registry, entity_registry
from homeassistant.util.json import json_loads

PROJECT = Path(__file__).resolve().parents[2]
BLUEPRINT = PROJECT / "tools/examples/home-assistant/court-needs-a-person.yaml"
PORT, WEB_PORT = map(int, sys.argv[1:3])
PATIENCE = 5
UNKNOWN = ("unknown", "unavailable")

CONFIGURATION = f"""
homeassistant:
  name: Club
  latitude: 47
  longitude: 8
  elevation: 400
  unit_system: metric
  time_zone: UTC
http:
  server_host: 127.0.0.1
  server_port: {WEB_PORT}
automation: !include automations.yaml
"""
# The first one as a person makes it with no choice but the sensors, the second one with all.
AUTOMATIONS = f"""
- id: first
  alias: Court 8 needs a person
  use_blueprint:
    path: ballmachine/court-needs-a-person.yaml
    input:
      state: sensor.court_8_state
      problem: binary_sensor.court_8_problem
- id: second
  alias: Court 9 needs a person
  use_blueprint:
    path: ballmachine/court-needs-a-person.yaml
    input:
      state: sensor.court_9_state
      problem: binary_sensor.court_9_problem
      patience: {PATIENCE}
      text: "Go to {{{{ court }}}}: {{{{ reason }}}}"
      announcement:
        - event: announced
          event_data:
            text: "{{{{ message }}}}"
"""


class Warnings(logging.Handler):
    """What Home Assistant complains about."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.lines = []

    def emit(self, record):
        # It says so itself: what it needs is there.
        if "Skipping pip installation" not in record.getMessage():
            self.lines.append(f"{record.name}: {record.getMessage()}")


class Court:
    """A court of our own, whose states are as needed. Its device is the first court's."""

    def __init__(self, client, discovery, number):
        self.client, self.number = client, number
        text = discovery.replace("court-1", f"court-{number}").replace("Court 1", f"Court {number}")
        self.say(f"homeassistant/device/ballmachine/court-{number}/config", text, is_path=True)
        self.say("availability", "online")

    def say(self, topic, payload, is_path=False):
        path = topic if is_path else f"ballmachine/court-{self.number}/{topic}"
        self.client.publish(path, payload, qos=1, retain=True).wait_for_publish(10)

    def state(self, state, code="atStart"):
        self.say("state", f'{{"code": "{code}", "state": "{state}", "holds": []}}')

    def problem(self, *texts):
        problems = ", ".join(f'{{"code": "x", "text": "{text}"}}' for text in texts)
        self.say("problem", f'{{"problems": [{problems}]}}')


class Story:
    def __init__(self, hass):
        self.hass = hass
        self.heard = {}
        self.announced = []

    # What is said to the other side.

    def look(self, what, is_so, *found):
        print("ok" if is_so else "FAILED", what, *(() if is_so else found), flush=True)
        return is_so

    async def please(self, deed):
        print("please", deed, flush=True)
        await self.hass.async_add_executor_job(sys.stdin.readline)

    async def until(self, is_so, seconds=30):
        end = time.monotonic() + seconds
        while not (result := is_so()) and time.monotonic() < end:
            await asyncio.sleep(0.05)
        return result

    def state(self, entity):
        state = self.hass.states.get(entity)
        return state.state if state else None

    async def comes(self, entity, *states, seconds=30):
        is_so = await self.until(lambda: self.state(entity) in states, seconds)
        return self.look(f"{entity} is {' or '.join(states)}", is_so, f"but {self.state(entity)}")

    async def press(self, entity):
        await self.hass.services.async_call("button", "press", {"entity_id": entity}, blocking=True)

    # The broker.

    async def connect(self):
        flow = await self.hass.config_entries.flow.async_init("mqtt", context={"source": "user"})
        while flow["type"] == "menu":
            flow = await self.hass.config_entries.flow.async_configure(
                flow["flow_id"], {"next_step_id": flow["menu_options"][0]})
        # As its form has it.
        others = {"set_client_cert": False, "set_ca_cert": "off"}
        flow = await self.hass.config_entries.flow.async_configure(
            flow["flow_id"], {"broker": "127.0.0.1", "port": PORT, "other_settings": others})
        assert flow["type"] == "create_entry", flow
        await self.hass.async_block_till_done()
        for topic in ("homeassistant/#", "ballmachine/#"):
            await mqtt.async_subscribe(self.hass, topic, self.hear, encoding=None)
        self.hass.bus.async_listen("announced", lambda event: self.announced.append(event.data["text"]))

    @callback
    def hear(self, message):
        self.heard.setdefault(message.topic, []).append(message.payload)

    # A court.

    async def court_in_play(self):
        await self.please("play")
        await self.comes("sensor.court_1_state", "live")
        topic = "homeassistant/device/ballmachine/court-1/config"
        self.discovery = self.heard[topic][-1].decode()
        self.look(f"the device has {len(self.discovery)} bytes, at most 16,384", len(self.discovery) <= 16_384)
        self.components = json_loads(self.discovery)["components"]
        device = self.device()
        self.look("the device links to the page", device.configuration_url == "http://127.0.0.1:8080/",
                  device.configuration_url)
        await self.comes("sensor.court_1_drill", "two-corners")
        await self.comes("sensor.court_1_level", "beginner")
        await self.comes("sensor.court_1_aim", "plan")
        for entity in ("balls", "drill", "progress"):
            await self.until(lambda: self.state(f"sensor.court_1_{entity}") not in UNKNOWN)
        is_so = await self.until(lambda: (self.state("sensor.court_1_progress") or "").startswith("set 1 of "), 20)
        self.look("the progress is told in words", is_so, self.state("sensor.court_1_progress"))
        await self.until(lambda: int(float(self.state("sensor.court_1_balls"))) >= 2, 30)
        balls = self.state("sensor.court_1_balls")
        self.look("balls are counted, and those by hand are 0",
                  int(balls) >= 2 and self.state("sensor.court_1_balls_by_hand") == "0", balls)
        attributes = self.hass.states.get("sensor.court_1_state").attributes
        self.look("the state has no other number of balls", "balls" not in attributes, attributes)

    def device(self):
        entry = self.hass.config_entries.async_entries("mqtt")[0]
        registry = device_registry.async_get(self.hass)
        devices = device_registry.async_entries_for_config_entry(registry, entry.entry_id)
        return next(device for device in devices if ("mqtt", "ballmachine_court-1") in device.identifiers)

    def entities(self):
        registry = entity_registry.async_get(self.hass)
        entries = entity_registry.async_entries_for_device(registry, self.device().id, True)
        return {entry.unique_id.removeprefix("ballmachine_court-1_"): entry.entity_id for entry in entries}

    async def picture(self):
        await self.press("button.court_1_update_picture")
        await self.until(lambda: self.state("image.court_1_picture") not in UNKNOWN)
        image = await self.hass.data["image"].get_entity("image.court_1_picture").async_image()
        self.look("a picture comes on request", image is not None and image[:2] == b"\xff\xd8" and image[-2:] == b"\xff\xd9",
                  image and len(image))
        self.look(f"the picture has {len(image or b'')} bytes, at most 60,000", 1000 < len(image or b"") <= 60_000)
        # Another one would be too soon.
        for _ in range(3):
            await self.press("button.court_1_update_picture")
        await asyncio.sleep(2)
        pictures = self.heard["ballmachine/court-1/picture"]
        self.look("one is made each 5 s at most", len(pictures) == 1, len(pictures))

    async def stop(self):
        await self.press("button.court_1_stop")
        await self.comes("sensor.court_1_state", "stopped")
        outcome = json_loads(self.heard["ballmachine/court-1/stop/outcome"][-1])
        self.look("the stop is confirmed", outcome["outcome"] == "confirmed", outcome)
        await self.until(lambda: self.state("sensor.court_1_last_session_balls") not in UNKNOWN)
        for name in ("balls", "time_in_play", "distance", "end"):
            entity = f"sensor.court_1_last_session_{name}"
            state = self.hass.states.get(entity)
            unit = state.attributes.get("unit_of_measurement", "") if state else ""
            self.look(f"of the session: {name} {self.state(entity)} {unit}", self.state(entity) not in (None, *UNKNOWN))

    async def everything(self):
        """Each component is an entity whose state is known."""
        entities = self.entities()
        self.look(f"all {len(self.components)} components are entities", entities.keys() == self.components.keys(),
                  entities.keys() ^ self.components.keys())
        # The doctor looks 10 s after a change.
        await self.comes("binary_sensor.court_1_problem", "off", "on")
        unknown = sorted(entity for entity in entities.values() if self.state(entity) in (*UNKNOWN, None))
        self.look("each entity's state is known", unknown == [], unknown)

    async def what_is_switched_off_goes(self):
        await self.please("noPicture")
        optional = {key for key in self.components if key.startswith("session") or "icture" in key}
        is_so = await self.until(lambda: not optional & self.entities().keys())
        self.look("what is switched off is removed, and no more", is_so and
                  self.entities().keys() == self.components.keys() - optional, self.entities().keys())
        await self.comes("sensor.court_1_state", "stopped")

    async def killed(self):
        await self.please("kill")
        await self.comes("sensor.court_1_state", "unavailable")

    # The blueprint.

    async def blueprint(self):
        client = paho.Client(paho.CallbackAPIVersion.VERSION2)
        client.connect("127.0.0.1", PORT)
        client.loop_start()
        nine = Court(client, self.discovery, 9)
        for court in (nine, Court(client, self.discovery, 8)):
            court.state("disarmed")
            court.problem()
            await self.comes(f"sensor.court_{court.number}_state", "disarmed")
            await self.comes(f"binary_sensor.court_{court.number}_problem", "off")
        for alias in ("court_8_needs_a_person", "court_9_needs_a_person"):
            await self.comes(f"automation.{alias}", "on")

        async def announces(what, deed, words, seconds=2.0):
            self.announced.clear()
            deed()
            await asyncio.sleep(seconds)
            is_so = len(self.announced) == (1 if words else 0) and all(
                text.startswith("Go to Court 9: ") and words in text for text in self.announced)
            self.look(f"{what}: {'said once' if words else 'nothing is said'}", is_so, self.announced)

        late = PATIENCE + 2
        for state, words in (("stopNotDelivered", "not delivered"), ("stopUnconfirmed", "not confirmed")):
            await announces(state, lambda: nine.state(state), words)
            await announces("disarmed", lambda: nine.state("disarmed"), None, 0.5)
        await announces("a stopping that ends", lambda: nine.state("stopping"), None, 1)
        await announces("stopped", lambda: nine.state("stopped"), None, late)
        await announces("a stopping that does not end", lambda: nine.state("stopping"), "does not end", late)
        await announces("noService for a moment", lambda: nine.state("noService"), None, 1)
        await announces("live", lambda: nine.state("live"), None, late)
        await announces("noService", lambda: nine.state("noService"), "bridge does not answer", late)
        nine.state("live")
        await self.comes("sensor.court_9_state", "live")
        await announces("offline for a moment", lambda: nine.say("availability", "offline"), None, 1)
        await announces("online again", lambda: nine.say("availability", "online"), None, late)
        await announces("offline while live", lambda: nine.say("availability", "offline"), "balls could fly", late)
        for code, words in (("linkLoss", "balls could fly"), ("operator", None)):
            nine.state("paused", code=code)
            await announces(f"online, paused by {code}", lambda: nine.say("availability", "online"), None, 1)
            await announces(f"offline while paused by {code}", lambda: nine.say("availability", "offline"), words, late)
        nine.state("disarmed")
        await announces("online, disarmed", lambda: nine.say("availability", "online"), None, 1)
        await announces("offline while disarmed", lambda: nine.say("availability", "offline"), None, late)
        nine.say("availability", "online")
        await self.comes("binary_sensor.court_9_problem", "off")
        await announces("a problem", lambda: nine.problem("Bluetooth is blocked"), "Bluetooth is blocked")
        await announces("the same problem", lambda: nine.problem("Bluetooth is blocked"), None, 1)

        told = []

        @callback
        def note(_, notifications):
            told.extend(note["message"] for note in notifications.values() if "Court 8" in note["message"])

        persistent_notification.async_register_callback(self.hass, note)
        Court(client, self.discovery, 8).state("stopNotDelivered")
        await self.until(lambda: told, 5)
        self.look("without a choice a notification shows it", len(told) == 1 and "not delivered" in told[0], told)
        client.loop_stop()


async def run(folder):
    folder = Path(folder)
    (folder / "configuration.yaml").write_text(CONFIGURATION)
    (folder / "automations.yaml").write_text(AUTOMATIONS)
    place = folder / "blueprints/automation/ballmachine"
    place.mkdir(parents=True)
    shutil.copy(BLUEPRINT, place)
    configuration = runner.RuntimeConfig(
        config_dir=str(folder), skip_pip=True, log_file=str(folder / "log"), log_no_color=True)
    warnings = Warnings()
    logging.getLogger("homeassistant").addHandler(warnings)
    hass = await bootstrap.async_setup_hass(configuration)
    await hass.async_start()
    story = Story(hass)
    await story.connect()
    await story.court_in_play()
    await story.picture()
    await story.stop()
    await story.everything()
    await story.blueprint()
    await story.what_is_switched_off_goes()
    await story.killed()
    story.look("Home Assistant complains about nothing", warnings.lines == [], "\n  ".join(["", *warnings.lines]))
    await hass.async_stop(force=True)


# The system's folder for temporary files goes with it.
asyncio.run(run(tempfile.mkdtemp()))
