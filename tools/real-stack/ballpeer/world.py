"""Everything that is on the air: the kernel's adapters and the machines."""

import os

from . import uart, vhci
from .adapter import Adapter, AdapterController
from .errors import MachineError
from .machine import Machine
from .radio import Radio
from .words import is_address

# The one controller that is there at the start.
FIRST_ADAPTER = ("hci0", "AA:BB:CC:DD:EE:01")


class World:
    """Adapters by their names and machines by their addresses.

    Without a kernel, adapters are controllers that wait for a host of Bumble's own.
    """

    def __init__(self, events, has_kernel=True):
        self.radio = Radio()
        self.adapters = {}
        self.machines = {}
        self._events = events
        self._has_kernel = has_kernel

    async def start(self):
        await self.add_adapter(*FIRST_ADAPTER)

    async def end(self):
        for name in list(self.adapters):
            self.remove_adapter(name)
        await self._end_machines()

    async def _end_machines(self):
        for machine in list(self.machines.values()):
            await machine.end()
        self.machines.clear()

    async def reset(self):
        """As at the start; the first adapter stays if it is still there, and alone."""
        if [(adapter.name, adapter.address) for adapter in self.adapters.values()] == [FIRST_ADAPTER]:
            await self._end_machines()
        else:
            await self.end()
            await self.start()

    # Adapters

    async def add_adapter(self, name, address):
        if name in self.adapters:
            raise MachineError(f"there is a {name} already")
        if any(adapter.address == address for adapter in self.adapters.values()):
            raise MachineError(f"there is an adapter {address} already")
        controller = AdapterController(name, self.radio, address)
        controller.fails_to_establish = self._fails_to_establish
        adapter = Adapter(name, address, controller)
        if self._has_kernel:
            await self._plug_in(adapter)
        self.adapters[adapter.name] = adapter
        self._events.tell("adapter-added", adapter=adapter.name, address=address)
        if adapter.name != name:
            raise MachineError(f"the kernel calls it {adapter.name}, not {name}")

    async def _plug_in(self, adapter):
        """Registers it with the kernel, which chooses its name."""
        at_uart = uart.is_there() and not os.path.exists(vhci.PATH)
        place, kind = ("a UART", uart.SerialDevice) if at_uart else (vhci.PATH, vhci.VirtualDevice)
        try:
            adapter.device = kind(adapter.controller)
            adapter.name = await adapter.device.register()
        except OSError as error:  # or TimeoutError, which is one
            if adapter.device:
                adapter.device.close()
            adapter.controller.leave()
            why = error.strerror or "the kernel doesn't answer"
            raise MachineError(f"{place}: {why}; be root, and load hci_vhci or hci_uart") from error

    def remove_adapter(self, name):
        adapter = self.adapters.pop(name, None)
        if adapter is None:
            raise MachineError(f"there is no {name}")
        for machine in self.machines.values():
            connection = machine.connection
            if connection and connection.peer_address in self._addresses(adapter):
                machine.blame("adapter-gone")
        if adapter.device:
            adapter.device.close()
        adapter.controller.abandon()
        adapter.controller.leave()
        self._events.tell("adapter-removed", adapter=name, address=adapter.address)

    @staticmethod
    def _addresses(adapter):
        return (adapter.controller.public_address, adapter.controller.random_address)

    def _adapter_name(self, address):
        for adapter in self.adapters.values():
            if address in self._addresses(adapter):
                return adapter.name
        return None

    # Machines

    async def add_machine(self, description):
        """Adds a machine, or replaces the one with this address."""
        there = self.machines.get(description.address)
        if there is not None:
            if there.connection:
                raise MachineError(f"{there.address} is connected: drop it first")
            await there.end()
            del self.machines[there.address]
        machine = Machine(description, self.radio, self._events, self._adapter_name)
        await machine.start()
        self.machines[description.address] = machine

    async def move(self, machine, address):
        if address in self.machines:
            raise MachineError(f"there is a machine {address} already")
        del self.machines[machine.address]
        self.machines[address] = machine
        await machine.move(address)

    def find(self, name):
        """The machine with this address, or with this advertised name if only one has it."""
        if is_address(name):
            machine = self.machines.get(name.upper())
            if machine is None:
                raise MachineError(f"there is no machine {name.upper()}")
            return machine
        named = [m for m in self.machines.values() if m.description.name == name]
        if not named:
            raise MachineError(f'there is no machine "{name}"')
        if len(named) > 1:
            all_of_them = " and ".join(sorted(machine.address for machine in named))
            raise MachineError(f'"{name}" is the name of {all_of_them}: give its address')
        return named[0]

    def _fails_to_establish(self, address):
        machine = next((m for m in self.machines.values() if m.is_at(address)), None)
        return machine is not None and machine.faults.strike("drop at establishing") is not None
