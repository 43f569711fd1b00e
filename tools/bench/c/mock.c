/* mock: a bluetoothd that costs next to nothing, for the bench.
 *
 * Usage: mock [--machines N] [--refuse] [--tell] [--flood N]
 *
 * Owns org.bluez on the system bus (DBUS_SYSTEM_BUS_ADDRESS says which one that is), with one adapter
 * and N ball machines (default 1) that it knows already, and answers everything at once. Says `up` with
 * the time when it is there. Ends with SIGTERM, and says how often it was asked for what.
 *
 *   --refuse   each Connect fails as on the real one with a machine that refuses: the link comes and goes
 *   --tell     prints the time of each write, in nanoseconds of CLOCK_MONOTONIC, the machine and the digits
 *   --flood N  from SIGUSR1 on, so many advertisements a second of 64 phones, evenly spread
 *
 * It checks what it is asked as bluetoothd does, and its messages come in bluetoothd's order: a peer that
 * works here works there. tools/bench/run measures with it, because a slow mock would hide slow clients.
 */
#define _GNU_SOURCE
#include <dbus/dbus.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define ADAPTER "/org/bluez/hci0"
#define PROPERTIES "org.freedesktop.DBus.Properties"
#define MANAGER "org.freedesktop.DBus.ObjectManager"
#define SERVICE_UUID "12345678-1234-1234-1234-123456789abc"
#define WRITE_UUID "abcd1234-1234-1234-1234-abcdef123456"
#define PATH_SIZE 96

enum { most_machines = 64, phones = 64, digits = 18 };

struct machine {
  char address[18];
  char device[PATH_SIZE];
  char service[PATH_SIZE];
  char characteristic[PATH_SIZE];
  dbus_bool_t trusted, connected, has_objects;
};

static struct machine machines[most_machines];
static int machine_count = 1;
static bool refuses, tells;
static long flood_rate;
static dbus_bool_t discovering;
static unsigned long connects, writes, signals_sent;
static DBusConnection *bus;

static void fail(const char *what) {
  fprintf(stderr, "mock: %s\n", what);
  exit(69);
}

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

/* Writing properties: all of them into a dictionary, or for Get the one that is wanted, by itself. */

static const char *wanted;
static bool is_found;

struct property {
  DBusMessageIter *parent;
  DBusMessageIter entry, variant;
};

static bool open_property(
    struct property *property, DBusMessageIter *parent, const char *key, const char *signature) {
  property->parent = parent;
  if (wanted != NULL) {
    if (strcmp(key, wanted) != 0) return false;
    is_found = true;
    dbus_message_iter_open_container(parent, DBUS_TYPE_VARIANT, signature, &property->variant);
    return true;
  }
  dbus_message_iter_open_container(parent, DBUS_TYPE_DICT_ENTRY, NULL, &property->entry);
  dbus_message_iter_append_basic(&property->entry, DBUS_TYPE_STRING, &key);
  dbus_message_iter_open_container(
      &property->entry, DBUS_TYPE_VARIANT, signature, &property->variant);
  return true;
}

static void close_property(struct property *property) {
  if (wanted != NULL) {
    dbus_message_iter_close_container(property->parent, &property->variant);
    return;
  }
  dbus_message_iter_close_container(&property->entry, &property->variant);
  dbus_message_iter_close_container(property->parent, &property->entry);
}

static void put(DBusMessageIter *parent, const char *key, int type, const void *value) {
  struct property property;
  const char signature[] = {(char)type, 0};
  if (!open_property(&property, parent, key, signature)) return;
  dbus_message_iter_append_basic(&property.variant, type, value);
  close_property(&property);
}

static void put_text(DBusMessageIter *parent, const char *key, const char *value) {
  put(parent, key, DBUS_TYPE_STRING, &value);
}

static void put_path(DBusMessageIter *parent, const char *key, const char *value) {
  put(parent, key, DBUS_TYPE_OBJECT_PATH, &value);
}

static void put_flag(DBusMessageIter *parent, const char *key, dbus_bool_t value) {
  put(parent, key, DBUS_TYPE_BOOLEAN, &value);
}

static void put_list(DBusMessageIter *parent, const char *key, const char *element) {
  struct property property;
  DBusMessageIter list;
  if (!open_property(&property, parent, key, "as")) return;
  dbus_message_iter_open_container(&property.variant, DBUS_TYPE_ARRAY, "s", &list);
  if (element != NULL) dbus_message_iter_append_basic(&list, DBUS_TYPE_STRING, &element);
  dbus_message_iter_close_container(&property.variant, &list);
  close_property(&property);
}

static void put_manufacturer_data(DBusMessageIter *parent, uint8_t byte) {
  struct property property;
  DBusMessageIter companies, company, data, array;
  const uint16_t apple = 0x004c;
  const uint8_t bytes[] = {0x10, 0x05, byte, (uint8_t)(byte >> 1)};
  const uint8_t *start = bytes;
  if (!open_property(&property, parent, "ManufacturerData", "a{qv}")) return;
  dbus_message_iter_open_container(&property.variant, DBUS_TYPE_ARRAY, "{qv}", &companies);
  dbus_message_iter_open_container(&companies, DBUS_TYPE_DICT_ENTRY, NULL, &company);
  dbus_message_iter_append_basic(&company, DBUS_TYPE_UINT16, &apple);
  dbus_message_iter_open_container(&company, DBUS_TYPE_VARIANT, "ay", &data);
  dbus_message_iter_open_container(&data, DBUS_TYPE_ARRAY, "y", &array);
  dbus_message_iter_append_fixed_array(&array, DBUS_TYPE_BYTE, &start, sizeof bytes);
  dbus_message_iter_close_container(&data, &array);
  dbus_message_iter_close_container(&company, &data);
  dbus_message_iter_close_container(&companies, &company);
  dbus_message_iter_close_container(&property.variant, &companies);
  close_property(&property);
}

/* The objects. */

static void put_adapter(DBusMessageIter *dictionary, const void *object) {
  (void)object;
  put_text(dictionary, "Address", "AA:BB:CC:DD:EE:01");
  put_text(dictionary, "AddressType", "public");
  put_text(dictionary, "Name", "bench");
  put_text(dictionary, "Alias", "bench");
  put_flag(dictionary, "Powered", TRUE);
  put_flag(dictionary, "Discovering", discovering);
  put_list(dictionary, "UUIDs", NULL);
  put_list(dictionary, "Roles", "central");
}

static void put_device(DBusMessageIter *dictionary, const void *object) {
  const struct machine *machine = object;
  const int16_t rssi = -60;
  put_text(dictionary, "Address", machine->address);
  put_text(dictionary, "AddressType", "random");
  put_text(dictionary, "Name", "BallMachine");
  put_text(dictionary, "Alias", "BallMachine");
  put_flag(dictionary, "Paired", FALSE);
  put_flag(dictionary, "Bonded", FALSE);
  put_flag(dictionary, "Trusted", machine->trusted);
  put_flag(dictionary, "Blocked", FALSE);
  put_flag(dictionary, "LegacyPairing", FALSE);
  put_flag(dictionary, "Connected", machine->connected);
  put_flag(dictionary, "ServicesResolved", machine->connected);
  put_list(dictionary, "UUIDs", SERVICE_UUID);
  put_path(dictionary, "Adapter", ADAPTER);
  put(dictionary, "RSSI", DBUS_TYPE_INT16, &rssi);
}

static void put_service(DBusMessageIter *dictionary, const void *object) {
  const struct machine *machine = object;
  put_text(dictionary, "UUID", SERVICE_UUID);
  put_path(dictionary, "Device", machine->device);
  put_flag(dictionary, "Primary", TRUE);
}

static void put_characteristic(DBusMessageIter *dictionary, const void *object) {
  const struct machine *machine = object;
  const uint16_t mtu = 247;
  put_text(dictionary, "UUID", WRITE_UUID);
  put_path(dictionary, "Service", machine->service);
  put_list(dictionary, "Flags", "write");
  put(dictionary, "MTU", DBUS_TYPE_UINT16, &mtu);
}

static void put_phone(DBusMessageIter *dictionary, int number, bool all) {
  const int16_t rssi = signals_sent / phones % 2 == 0 ? -90 : -70;
  if (all) {
    char address[18];
    snprintf(address, sizeof address, "2A:00:00:00:00:%02hhX", (unsigned char)number);
    put_text(dictionary, "Address", address);
    put_text(dictionary, "AddressType", "random");
    put_text(dictionary, "Alias", address);
    put_flag(dictionary, "Connected", FALSE);
    put_flag(dictionary, "ServicesResolved", FALSE);
    put_list(dictionary, "UUIDs", NULL);
    put_path(dictionary, "Adapter", ADAPTER);
  }
  put(dictionary, "RSSI", DBUS_TYPE_INT16, &rssi);
  put_manufacturer_data(dictionary, (uint8_t)signals_sent);
}

static void phone_path(char path[PATH_SIZE], int number) {
  snprintf(path, PATH_SIZE, ADAPTER "/dev_2A_00_00_00_00_%02hhX", (unsigned char)number);
}

typedef void (*fill)(DBusMessageIter *dictionary, const void *object);

static void put_interface(
    DBusMessageIter *interfaces, const char *name, fill fill, const void *object) {
  DBusMessageIter entry, dictionary;
  dbus_message_iter_open_container(interfaces, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
  dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &name);
  dbus_message_iter_open_container(&entry, DBUS_TYPE_ARRAY, "{sv}", &dictionary);
  fill(&dictionary, object);
  dbus_message_iter_close_container(&entry, &dictionary);
  dbus_message_iter_close_container(interfaces, &entry);
}

static void put_object(
    DBusMessageIter *objects, const char *path, const char *interface, fill fill, const void *object) {
  DBusMessageIter entry, interfaces;
  dbus_message_iter_open_container(objects, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
  dbus_message_iter_append_basic(&entry, DBUS_TYPE_OBJECT_PATH, &path);
  dbus_message_iter_open_container(&entry, DBUS_TYPE_ARRAY, "{sa{sv}}", &interfaces);
  put_interface(&interfaces, interface, fill, object);
  dbus_message_iter_close_container(&entry, &interfaces);
  dbus_message_iter_close_container(objects, &entry);
}

static void fill_phone(DBusMessageIter *dictionary, const void *object) {
  put_phone(dictionary, *(const int *)object, true);
}

/* Who looks at the objects sees that no ball is real: the marker of MockMachine has no properties. */
static void fill_nothing(DBusMessageIter *dictionary, const void *object) {
  (void)dictionary;
  (void)object;
}

static void put_objects(DBusMessage *reply) {
  DBusMessageIter arguments, objects;
  dbus_message_iter_init_append(reply, &arguments);
  dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "{oa{sa{sv}}}", &objects);
  put_object(&objects, "/org/bluez", "org.bluez.AgentManager1", fill_nothing, NULL);
  put_object(&objects, "/org/bluez/hci0/simulation", "io.ballmachine.Simulation1", fill_nothing, NULL);
  put_object(&objects, ADAPTER, "org.bluez.Adapter1", put_adapter, NULL);
  for (const struct machine *machine = machines; machine < machines + machine_count; machine++) {
    put_object(&objects, machine->device, "org.bluez.Device1", put_device, machine);
    if (!machine->has_objects) continue;
    put_object(&objects, machine->service, "org.bluez.GattService1", put_service, machine);
    put_object(
        &objects, machine->characteristic, "org.bluez.GattCharacteristic1", put_characteristic, machine);
  }
  for (int number = 0; flood_rate > 0 && number < phones; number++) {
    char path[PATH_SIZE];
    phone_path(path, number);
    put_object(&objects, path, "org.bluez.Device1", fill_phone, &number);
  }
  dbus_message_iter_close_container(&arguments, &objects);
}

/* Signals. */

static void send_message(DBusMessage *message) {
  dbus_connection_send(bus, message, NULL);
  dbus_message_unref(message);
}

struct change {
  DBusMessage *signal;
  DBusMessageIter arguments, dictionary;
};

static struct change begin_change(const char *path, const char *interface) {
  struct change change;
  change.signal = dbus_message_new_signal(path, PROPERTIES, "PropertiesChanged");
  dbus_message_iter_init_append(change.signal, &change.arguments);
  dbus_message_iter_append_basic(&change.arguments, DBUS_TYPE_STRING, &interface);
  dbus_message_iter_open_container(&change.arguments, DBUS_TYPE_ARRAY, "{sv}", &change.dictionary);
  return change;
}

static void end_change(struct change *change) {
  DBusMessageIter invalidated;
  dbus_message_iter_close_container(&change->arguments, &change->dictionary);
  dbus_message_iter_open_container(&change->arguments, DBUS_TYPE_ARRAY, "s", &invalidated);
  dbus_message_iter_close_container(&change->arguments, &invalidated);
  send_message(change->signal);
}

static void tell_flag(const char *path, const char *interface, const char *name, dbus_bool_t value) {
  struct change change = begin_change(path, interface);
  put_flag(&change.dictionary, name, value);
  end_change(&change);
}

static void tell_added(const char *path, const char *interface, fill fill, const void *object) {
  DBusMessageIter arguments, interfaces;
  DBusMessage *signal = dbus_message_new_signal("/", MANAGER, "InterfacesAdded");
  dbus_message_iter_init_append(signal, &arguments);
  dbus_message_iter_append_basic(&arguments, DBUS_TYPE_OBJECT_PATH, &path);
  dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "{sa{sv}}", &interfaces);
  put_interface(&interfaces, interface, fill, object);
  dbus_message_iter_close_container(&arguments, &interfaces);
  send_message(signal);
}

static void advertise(void) {
  char path[PATH_SIZE];
  const int number = (int)(signals_sent++ % phones);
  phone_path(path, number);
  struct change change = begin_change(path, "org.bluez.Device1");
  put_phone(&change.dictionary, number, false);
  end_change(&change);
}

/* Calls. */

static void fail_call(DBusMessage *call, const char *error, const char *text) {
  send_message(dbus_message_new_error(call, error, text));
}

static void answer(DBusMessage *call) { send_message(dbus_message_new_method_return(call)); }

static void connect_machine(DBusMessage *call, struct machine *machine) {
  connects++;
  if (machine->connected) {
    answer(call);
    return;
  }
  if (refuses) {
    tell_flag(machine->device, "org.bluez.Device1", "Connected", TRUE);
    tell_flag(machine->device, "org.bluez.Device1", "Connected", FALSE);
    fail_call(call, "org.bluez.Error.Failed", "le-connection-abort-by-local");
    return;
  }
  machine->connected = TRUE;
  tell_flag(machine->device, "org.bluez.Device1", "Connected", TRUE);
  if (!machine->has_objects) {
    machine->has_objects = TRUE;
    tell_added(machine->service, "org.bluez.GattService1", put_service, machine);
    tell_added(
        machine->characteristic, "org.bluez.GattCharacteristic1", put_characteristic, machine);
  }
  tell_flag(machine->device, "org.bluez.Device1", "ServicesResolved", TRUE);
  answer(call);
}

static void disconnect_machine(DBusMessage *call, struct machine *machine) {
  if (machine->connected) {
    machine->connected = FALSE;
    tell_flag(machine->device, "org.bluez.Device1", "ServicesResolved", FALSE);
    tell_flag(machine->device, "org.bluez.Device1", "Connected", FALSE);
  }
  answer(call);
}

/* WriteValue(ay value, a{sv} options), with the type that our client and its peers give. */
static void write_value(DBusMessage *call, const struct machine *machine) {
  DBusMessageIter arguments, array;
  const uint8_t *bytes = NULL;
  int count = 0;
  if (!dbus_message_has_signature(call, "aya{sv}")) {
    fail_call(call, "org.bluez.Error.InvalidArguments", "Invalid arguments in method call");
    return;
  }
  if (!machine->connected) {
    fail_call(call, "org.bluez.Error.Failed", "Not connected");
    return;
  }
  dbus_message_iter_init(call, &arguments);
  dbus_message_iter_recurse(&arguments, &array);
  dbus_message_iter_get_fixed_array(&array, &bytes, &count);
  if (count != digits) {
    fail_call(call, "org.bluez.Error.InvalidValueLength", "Invalid Length");
    return;
  }
  const long long time = tells ? now() : 0;
  writes++;
  answer(call);
  if (tells) {
    dbus_connection_flush(bus);
    printf("write %lld %s %.*s\n", time, machine->address, count, (const char *)bytes);
    fflush(stdout);
  }
}

static void set_property(DBusMessage *call, struct machine *machine) {
  DBusMessageIter arguments, variant;
  const char *interface = NULL, *name = NULL;
  if (!dbus_message_has_signature(call, "ssv")) {
    fail_call(call, DBUS_ERROR_INVALID_ARGS, "Invalid arguments in method call");
    return;
  }
  dbus_message_iter_init(call, &arguments);
  dbus_message_iter_get_basic(&arguments, &interface);
  dbus_message_iter_next(&arguments);
  dbus_message_iter_get_basic(&arguments, &name);
  dbus_message_iter_next(&arguments);
  dbus_message_iter_recurse(&arguments, &variant);
  if (machine != NULL && strcmp(name, "Trusted") == 0 &&
      dbus_message_iter_get_arg_type(&variant) == DBUS_TYPE_BOOLEAN) {
    dbus_bool_t value = FALSE;
    dbus_message_iter_get_basic(&variant, &value);
    answer(call);
    if (value == machine->trusted) return;
    machine->trusted = value;
    tell_flag(machine->device, interface, name, value);
  } else if (machine == NULL && strcmp(name, "Powered") == 0) {
    answer(call);
  } else {
    fail_call(call, DBUS_ERROR_PROPERTY_READ_ONLY, "Property is not writable");
  }
}

/* Get and GetAll. */
static void get_properties(DBusMessage *call, fill fill, const struct machine *machine) {
  DBusMessageIter question, arguments, dictionary;
  DBusMessage *reply = dbus_message_new_method_return(call);
  const char *name = NULL;
  dbus_message_iter_init_append(reply, &arguments);
  if (dbus_message_has_signature(call, "ss")) {
    dbus_message_iter_init(call, &question);
    dbus_message_iter_next(&question);
    dbus_message_iter_get_basic(&question, &name);
    wanted = name;
    is_found = false;
    fill(&arguments, machine);
    wanted = NULL;
    if (!is_found) {
      dbus_message_unref(reply);
      fail_call(call, DBUS_ERROR_INVALID_ARGS, "No such property");
      return;
    }
  } else {
    dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "{sv}", &dictionary);
    fill(&dictionary, machine);
    dbus_message_iter_close_container(&arguments, &dictionary);
  }
  send_message(reply);
}

static void set_discovering(DBusMessage *call, dbus_bool_t value) {
  answer(call);
  if (value == discovering) return;
  discovering = value;
  tell_flag(ADAPTER, "org.bluez.Adapter1", "Discovering", value);
  for (int number = 0; value && number < machine_count; number++) {
    const int16_t rssi = -61;
    struct change change = begin_change(machines[number].device, "org.bluez.Device1");
    put(&change.dictionary, "RSSI", DBUS_TYPE_INT16, &rssi);
    end_change(&change);
  }
}

/* What is at a path; `fill` is NULL when there is nothing. */
struct object {
  struct machine *machine;
  const char *interface;
  fill fill;
};

static struct object object_at(const char *path) {
  if (strcmp(path, ADAPTER) == 0) return (struct object){NULL, "org.bluez.Adapter1", put_adapter};
  if (strcmp(path, "/org/bluez") == 0)
    return (struct object){NULL, "org.bluez.AgentManager1", fill_nothing};
  for (struct machine *machine = machines; machine < machines + machine_count; machine++) {
    if (strcmp(path, machine->device) == 0)
      return (struct object){machine, "org.bluez.Device1", put_device};
    if (!machine->has_objects) continue;
    if (strcmp(path, machine->service) == 0)
      return (struct object){machine, "org.bluez.GattService1", put_service};
    if (strcmp(path, machine->characteristic) == 0)
      return (struct object){machine, "org.bluez.GattCharacteristic1", put_characteristic};
  }
  return (struct object){NULL, "", NULL};
}

static void handle_call(DBusMessage *call) {
  const char *path = dbus_message_get_path(call);
  const char *interface = dbus_message_get_interface(call);
  const char *member = dbus_message_get_member(call);
  const struct object object = object_at(path);
  const bool is_own = interface != NULL && strcmp(interface, object.interface) == 0;
  if (is_own && strcmp(member, "WriteValue") == 0) {
    write_value(call, object.machine);
  } else if (is_own && strcmp(member, "Connect") == 0) {
    connect_machine(call, object.machine);
  } else if (is_own && strcmp(member, "Disconnect") == 0) {
    disconnect_machine(call, object.machine);
  } else if (is_own && strcmp(member, "StartDiscovery") == 0) {
    set_discovering(call, TRUE);
  } else if (is_own && strcmp(member, "StopDiscovery") == 0) {
    set_discovering(call, FALSE);
  } else if (is_own && (strcmp(member, "SetDiscoveryFilter") == 0 || object.fill == fill_nothing)) {
    answer(call);
  } else if (object.fill != NULL && dbus_message_is_method_call(call, PROPERTIES, "Set")) {
    set_property(call, object.machine);
  } else if (object.fill != NULL && (dbus_message_is_method_call(call, PROPERTIES, "Get") ||
                                     dbus_message_is_method_call(call, PROPERTIES, "GetAll"))) {
    get_properties(call, object.fill, object.machine);
  } else if (strcmp(path, "/") == 0 &&
             dbus_message_is_method_call(call, MANAGER, "GetManagedObjects")) {
    DBusMessage *reply = dbus_message_new_method_return(call);
    put_objects(reply);
    send_message(reply);
  } else {
    fprintf(stderr, "mock: unknown call of %s at %s\n", member, path);
    fail_call(call, DBUS_ERROR_UNKNOWN_METHOD, "Method doesn't exist");
  }
}

/* The loop. */

static void set_up(int argc, char **argv) {
  for (int index = 1; index < argc; index++) {
    const bool has_value = index + 1 < argc;
    if (strcmp(argv[index], "--refuse") == 0) refuses = true;
    else if (strcmp(argv[index], "--tell") == 0) tells = true;
    else if (strcmp(argv[index], "--flood") == 0 && has_value) flood_rate = atol(argv[++index]);
    else if (strcmp(argv[index], "--machines") == 0 && has_value) machine_count = atoi(argv[++index]);
    else fail("unknown option; see the top of mock.c");
  }
  if (machine_count < 1 || machine_count > most_machines) fail("--machines takes 1 to 64");
  for (int number = 0; number < machine_count; number++) {
    struct machine *machine = &machines[number];
    snprintf(machine->address, sizeof machine->address, "F0:F1:F2:F3:F4:%02hhX", (unsigned char)number);
    snprintf(machine->device, PATH_SIZE, ADAPTER "/dev_F0_F1_F2_F3_F4_%02hhX", (unsigned char)number);
    snprintf(machine->service, PATH_SIZE, "%.40s/service000a", machine->device);
    snprintf(machine->characteristic, PATH_SIZE, "%.60s/char000b", machine->service);
  }
}

static void start_flood(int timer) {
  const struct timespec interval = {.tv_nsec = flood_rate > 0 ? 999999999L / flood_rate : 0};
  const struct itimerspec time = {.it_interval = interval, .it_value = interval};
  timerfd_settime(timer, 0, &time, NULL);
}

int main(int argc, char **argv) {
  DBusError error = DBUS_ERROR_INIT;
  set_up(argc, argv);
  sigset_t requests;
  sigemptyset(&requests);
  sigaddset(&requests, SIGTERM);
  sigaddset(&requests, SIGUSR1);
  sigprocmask(SIG_BLOCK, &requests, NULL);
  bus = dbus_bus_get_private(DBUS_BUS_SYSTEM, &error);
  if (bus == NULL) fail(error.message);
  if (dbus_bus_request_name(bus, "org.bluez", DBUS_NAME_FLAG_DO_NOT_QUEUE, &error) !=
      DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER)
    fail("org.bluez has an owner on this bus");
  printf("up %lld\n", now());
  fflush(stdout);
  int socket = -1;
  dbus_connection_get_unix_fd(bus, &socket);
  struct pollfd waits[] = {
      {.fd = socket, .events = POLLIN},
      {.fd = signalfd(-1, &requests, SFD_CLOEXEC), .events = POLLIN},
      {.fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK), .events = POLLIN},
  };
  for (;;) {
    /* Sending may have read as well: what it read makes nothing readable any more. */
    const bool has_more = dbus_connection_get_dispatch_status(bus) == DBUS_DISPATCH_DATA_REMAINS;
    if (poll(waits, 3, has_more ? 0 : -1) < 0 && errno != EINTR) fail("poll failed");
    struct signalfd_siginfo request;
    if (waits[1].revents != 0 && read(waits[1].fd, &request, sizeof request) == sizeof request) {
      if (request.ssi_signo == SIGTERM) break;
      start_flood(waits[2].fd);
    }
    uint64_t ticks = 0;
    if (waits[2].revents != 0 && read(waits[2].fd, &ticks, sizeof ticks) == sizeof ticks)
      while (ticks-- > 0) advertise();
    if (!dbus_connection_read_write(bus, 0)) break;
    for (DBusMessage *message; (message = dbus_connection_pop_message(bus)) != NULL;) {
      if (dbus_message_get_type(message) == DBUS_MESSAGE_TYPE_METHOD_CALL) handle_call(message);
      dbus_message_unref(message);
    }
    dbus_connection_flush(bus);
  }
  printf("connects %lu writes %lu signals %lu\n", connects, writes, signals_sent);
  return 0;
}
