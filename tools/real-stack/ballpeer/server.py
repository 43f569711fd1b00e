"""The machine's GATT server: Bumble's, with reports of writes and with faults."""

import asyncio
from uuid import UUID

from bumble import att
from bumble.gatt import Characteristic
from bumble.gatt_server import GATT_MAX_ATTRIBUTE_VALUE_SIZE, Server
from bumble.profiles.gatt_service import GenericAttributeProfileService

from . import frames


class MachineServer(Server):
    """`machine` gets writes, subscriptions and the MTU, and is asked for faults."""

    def __init__(self, device, machine):
        super().__init__(device)
        self._machine = machine
        # Connections that have asked anything, whose discovery has begun, and that are never
        # answered again.
        self._begun = set()
        self._discovered = set()
        self._stuck = set()

    # The table

    def lay_out(self, services):
        """Replaces the table; what a client subscribed to stays if its handle does."""
        self.attributes.clear()
        self.attributes_by_handle.clear()
        self.services.clear()
        self.add_services(services)

    def digest(self):
        """Describes each attribute, so that two tables can be compared."""
        return [
            (a.handle, str(a.type), a.value if isinstance(a.value, bytes) else None)
            for a in self.attributes
        ]

    def database_hash(self, connection):
        return GenericAttributeProfileService.get_database_hash(
            GenericAttributeProfileService, connection
        )

    def find(self, uuid):
        """The first characteristic with this UUID."""
        return next((c for c in self._characteristics() if c.uuid == uuid), None)

    def notifier(self):
        """The first characteristic outside the GATT service that can notify."""
        notify = Characteristic.Properties.NOTIFY
        return next((c for c in self._characteristics() if c.properties & notify), None)

    def _characteristics(self):
        return (a for a in self.attributes if isinstance(a, Characteristic))

    def subscription(self, connection, characteristic):
        """The bits of its client configuration: 1 notifies, 2 indicates."""
        return self.read_cccd(connection, characteristic)[0]

    # Requests

    def on_disconnection(self, bearer):
        super().on_disconnection(bearer)
        self._begun.discard(bearer)
        self._discovered.discard(bearer)
        self._stuck.discard(bearer)

    def on_gatt_pdu(self, bearer, att_pdu):
        if bearer in self._stuck and att_pdu.op_code in att.ATT_REQUESTS:
            return
        if bearer not in self._begun:
            self._begun.add(bearer)
            if self._machine.faults.strike("drop at connecting"):
                self._machine.drop()
                return
        is_discovery = isinstance(att_pdu, att.ATT_Read_By_Group_Type_Request)
        if is_discovery and bearer not in self._discovered:
            self._discovered.add(bearer)
            fault = self._machine.faults.strike("drop at resolving", "resolve-hangs")
            if fault and fault.kind == "resolve-hangs":
                self._stuck.add(bearer)
                return
            if fault:
                self._machine.drop()
                return
        super().on_gatt_pdu(bearer, att_pdu)

    def on_att_exchange_mtu_request(self, bearer, request):
        super().on_att_exchange_mtu_request(bearer, request)
        self._machine.tell("mtu", mtu=bearer.att_mtu)

    async def write_cccd(self, bearer, characteristic, value):
        if value[:1] and value[0] & 1:
            faults = self._machine.faults
            slow, refused = faults.strike("slow-notify"), faults.strike("fail-notify")
            if slow:
                await asyncio.sleep(slow.detail)
            if refused:
                raise att.ATT_Error(refused.detail, att_handle=characteristic.handle)
            if not self._is_connected(bearer):
                return
        super().write_cccd(bearer, characteristic, value)
        bits = self.subscription(bearer, characteristic)
        self._machine.tell(
            "subscribed",
            characteristic=name_of(characteristic.uuid),
            notify=bool(bits & 1),
            indicate=bool(bits & 2),
        )

    def send_notification(self, bearer, value):
        """Sends a value by the machine's notifier, if the client has subscribed to it."""
        notifier = self.notifier()
        if notifier is not None and self.subscription(bearer, notifier) & 1:
            self.send_gatt_pdu(
                bearer,
                bytes(
                    att.ATT_Handle_Value_Notification(
                        attribute_handle=notifier.handle, attribute_value=value
                    )
                ),
            )

    def send_response(self, bearer, response):
        """What comes after the link's end is lost."""
        if self._is_connected(bearer):
            super().send_response(bearer, response)

    def _is_connected(self, bearer):
        return self.device.connections.get(bearer.handle) is bearer

    # Writes

    def on_att_write_request(self, bearer, request):
        attribute = self.get_attribute(request.attribute_handle)
        if not isinstance(attribute, Characteristic):
            super().on_att_write_request(bearer, request)
            return
        self._check(attribute, Characteristic.Properties.WRITE, request.attribute_value)
        self._accept(
            bearer, request, attribute, request.attribute_value, "request", att.ATT_Write_Response()
        )

    def on_att_write_command(self, bearer, request):
        attribute = self.get_attribute(request.attribute_handle)
        if not isinstance(attribute, Characteristic):
            super().on_att_write_command(bearer, request)
            return
        try:
            command = Characteristic.Properties.WRITE_WITHOUT_RESPONSE
            self._check(attribute, command, request.attribute_value)
        except att.ATT_Error:
            return  # A command is never answered.
        self._accept(bearer, request, attribute, request.attribute_value, "command", None)

    def on_att_execute_write_request(self, bearer, request):
        queue = self.prepared_writes.get(bearer, [])
        attributes = {self.get_attribute(handle) for handle, _, _ in queue}
        attribute = attributes.pop() if len(attributes) == 1 else None
        if request.flags == 0 or not isinstance(attribute, Characteristic):
            super().on_att_execute_write_request(bearer, request)
            return
        del self.prepared_writes[bearer]
        value = b""
        for _, offset, part in queue:
            if offset > len(value):
                raise att.ATT_Error(att.ATT_INVALID_OFFSET_ERROR, att_handle=attribute.handle)
            value = value[:offset] + part
        self._check(attribute, Characteristic.Properties.WRITE, value)
        self._accept(bearer, request, attribute, value, "long", att.ATT_Execute_Write_Response())

    @staticmethod
    def _check(attribute, needed, value):
        """Raises the ATT error that the server answers."""
        if not attribute.properties & needed:
            raise att.ATT_Error(att.ATT_WRITE_NOT_PERMITTED_ERROR, att_handle=attribute.handle)
        if len(value) > GATT_MAX_ATTRIBUTE_VALUE_SIZE:
            raise att.ATT_Error(att.ATT_INVALID_ATTRIBUTE_LENGTH_ERROR, att_handle=attribute.handle)

    def _accept(self, bearer, request, attribute, value, form, response):
        faults = self._machine.faults
        if response is None:
            fault = faults.strike("drop at writing")
        else:
            fault = faults.strike("drop at writing", "hang-writes", "fail-writes")
        kind = fault.kind if fault else None
        is_lost = kind == "hang-writes" and fault.detail == "lost"
        if kind != "fail-writes" and not is_lost:
            is_frame = self._machine.takes_frames(attribute)
            check_byte = self._machine.description.check_byte
            command = frames.command(value, check_byte) if is_frame else None
            self._machine.tell(
                "write",
                characteristic=name_of(attribute.uuid),
                type=form,
                **(frame_fields(value, command) if is_frame else value_fields(value)),
            )
            if command:
                self._machine.answers.answer(bearer, command[1])
        match kind:
            case "drop at writing":
                self._machine.drop()
            case "hang-writes":
                self._stuck.add(bearer)
            case "fail-writes":
                self.send_response(
                    bearer,
                    att.ATT_Error_Response(
                        request_opcode_in_error=request.op_code,
                        attribute_handle_in_error=attribute.handle,
                        error_code=fault.detail,
                    ),
                )
            case _ if response is not None:
                self._respond_later(bearer, response, faults.write_delay)

    def _respond_later(self, bearer, response, delay):
        if not delay:
            self.send_response(bearer, response)
            return
        asyncio.get_running_loop().call_later(delay, self.send_response, bearer, response)


def name_of(uuid):
    """A UUID as BlueZ writes it: 128 bits, lower case."""
    return str(UUID(bytes=uuid.to_bytes(force_128=True)[::-1]))


def value_fields(value):
    """A value as `ballmachine mock` prints it: text if it is printable, else hexadecimal."""
    try:
        text = value.decode()
    except UnicodeDecodeError:
        text = None
    if text is not None and (text.isprintable() or not text):
        return {"value": text}
    return {"hex": value.hex()}


def frame_fields(value, command):
    """The bytes, and what a good command says."""
    told = {"hex": value.hex()}
    return {"value": frames.text(*command), **told} if command else told
