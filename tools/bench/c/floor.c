/* floor: what a link to the machine costs at least, as a plain C program over libdbus.
 *
 * Usage: floor write COUNT | hold | relay SOCKET | refused SECONDS
 *
 * Does with a machine of mock.c what the peers in tools/bench/peers do with their libraries; each prints
 * a JSON object. BENCH_MACHINE says which machine, from 0 on.
 *
 *   write COUNT      connects, and writes so many commands, each as soon as the one before is acknowledged;
 *                    prints how long the connection took, how long each write, and all of them
 *   hold             connects, writes one command, says that it is ready, and waits for the end of its input
 *   relay SOCKET     connects, says that it is ready, and writes a command for each line that its first
 *                    client writes to that socket, until its end
 *   refused SECONDS  wants to connect to a machine that refuses for so long, as often as it can
 */
#define _GNU_SOURCE
#include <dbus/dbus.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static DBusConnection *bus;
static char device[64], characteristic[96], rule[256];

static void fail(const char *what) {
  fprintf(stderr, "floor: %s\n", what);
  exit(69);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Sends a call and waits for its reply, which is nil for an error if that is expected. */
static DBusMessage *call(DBusMessage *message, bool may_fail) {
  DBusError error = DBUS_ERROR_INIT;
  DBusMessage *reply =
      dbus_connection_send_with_reply_and_block(bus, message, DBUS_TIMEOUT_INFINITE, &error);
  dbus_message_unref(message);
  if (reply == NULL && !may_fail) fail(error.message);
  dbus_error_free(&error);
  return reply;
}

static DBusMessage *device_call(const char *member) {
  return dbus_message_new_method_call("org.bluez", device, "org.bluez.Device1", member);
}

/* Whether BlueZ's objects are there up to this path. */
static bool sees(const char *wanted) {
  DBusMessageIter arguments, objects, object;
  bool found = false;
  DBusMessage *reply = call(
      dbus_message_new_method_call(
          "org.bluez", "/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects"),
      false);
  dbus_message_iter_init(reply, &arguments);
  dbus_message_iter_recurse(&arguments, &objects);
  for (; dbus_message_iter_get_arg_type(&objects) != DBUS_TYPE_INVALID; dbus_message_iter_next(&objects)) {
    const char *path = NULL;
    dbus_message_iter_recurse(&objects, &object);
    dbus_message_iter_get_basic(&object, &path);
    found = found || strcmp(path, wanted) == 0;
  }
  dbus_message_unref(reply);
  return found;
}

/* Whether the signal sets this flag of the device. */
static bool tells(DBusMessage *message, const char *flag) {
  DBusMessageIter arguments, changed, entry, variant;
  if (!dbus_message_is_signal(message, "org.freedesktop.DBus.Properties", "PropertiesChanged") ||
      !dbus_message_has_path(message, device) || !dbus_message_has_signature(message, "sa{sv}as"))
    return false;
  dbus_message_iter_init(message, &arguments);
  dbus_message_iter_next(&arguments);
  dbus_message_iter_recurse(&arguments, &changed);
  for (; dbus_message_iter_get_arg_type(&changed) != DBUS_TYPE_INVALID; dbus_message_iter_next(&changed)) {
    const char *name = NULL;
    dbus_bool_t value = FALSE;
    dbus_message_iter_recurse(&changed, &entry);
    dbus_message_iter_get_basic(&entry, &name);
    dbus_message_iter_next(&entry);
    dbus_message_iter_recurse(&entry, &variant);
    if (strcmp(name, flag) != 0 || dbus_message_iter_get_arg_type(&variant) != DBUS_TYPE_BOOLEAN) continue;
    dbus_message_iter_get_basic(&variant, &value);
    return value;
  }
  return false;
}

static void wait_for(const char *flag) {
  for (;;) {
    DBusMessage *message;
    while ((message = dbus_connection_pop_message(bus)) == NULL)
      if (!dbus_connection_read_write(bus, -1)) fail("the bus is gone");
    const bool is_it = tells(message, flag);
    dbus_message_unref(message);
    if (is_it) return;
  }
}

static void name_machine(void) {
  const char *number = getenv("BENCH_MACHINE");
  snprintf(
      device, sizeof device, "/org/bluez/hci0/dev_F0_F1_F2_F3_F4_%02hhX",
      (unsigned char)(number == NULL ? 0 : atoi(number)));
  snprintf(characteristic, sizeof characteristic, "%s/service000a/char000b", device);
  snprintf(
      rule, sizeof rule,
      "type='signal',sender='org.bluez',interface='org.freedesktop.DBus.Properties',"
      "member='PropertiesChanged',path='%s'",
      device);
}

static void open_bus(void) {
  DBusError error = DBUS_ERROR_INIT;
  bus = dbus_bus_get_private(DBUS_BUS_SYSTEM, &error);
  if (bus == NULL) fail(error.message);
  dbus_bus_add_match(bus, rule, &error);
  if (dbus_error_is_set(&error)) fail(error.message);
  if (!sees(device)) fail("the machine is not there");
}

static double connect_machine(void) {
  const double start = now();
  open_bus();
  dbus_message_unref(call(device_call("Connect"), false));
  wait_for("ServicesResolved");
  if (!sees(characteristic)) fail("the characteristic is not there");
  return now() - start;
}

static void disconnect_machine(void) { dbus_message_unref(call(device_call("Disconnect"), false)); }

static void write_command(void) {
  static const char digits[] = "110001060014004500";
  const uint8_t *bytes = (const uint8_t *)digits;
  const char *key = "type", *request = "request";
  DBusMessageIter arguments, array, options, entry, variant;
  DBusMessage *message = dbus_message_new_method_call(
      "org.bluez", characteristic, "org.bluez.GattCharacteristic1", "WriteValue");
  dbus_message_iter_init_append(message, &arguments);
  dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "y", &array);
  dbus_message_iter_append_fixed_array(&array, DBUS_TYPE_BYTE, &bytes, sizeof digits - 1);
  dbus_message_iter_close_container(&arguments, &array);
  dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "{sv}", &options);
  dbus_message_iter_open_container(&options, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
  dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &key);
  dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, "s", &variant);
  dbus_message_iter_append_basic(&variant, DBUS_TYPE_STRING, &request);
  dbus_message_iter_close_container(&entry, &variant);
  dbus_message_iter_close_container(&options, &entry);
  dbus_message_iter_close_container(&arguments, &options);
  dbus_message_unref(call(message, false));
}

static void write_commands(int count) {
  double *samples = calloc((size_t)count, sizeof *samples);
  if (samples == NULL || count < 1) fail("write takes a count");
  const double connecting = connect_machine();
  for (int number = 0; number < count / 10; number++) write_command();
  const double start = now();
  double before = start;
  for (int number = 0; number < count; number++) {
    write_command();
    const double after = now();
    samples[number] = after - before;
    before = after;
  }
  printf("{\"connect\": %.9f, \"seconds\": %.9f, \"samples\": [", connecting, before - start);
  for (int number = 0; number < count; number++)
    printf("%s%.9f", number == 0 ? "" : ", ", samples[number]);
  printf("]}\n");
  free(samples);
  disconnect_machine();
}

static void hold(void) {
  char byte;
  connect_machine();
  write_command();
  printf("{\"ready\": true}\n");
  fflush(stdout);
  while (read(STDIN_FILENO, &byte, 1) > 0) {}
  disconnect_machine();
}

static void relay(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  char line[256];
  const int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (snprintf(address.sun_path, sizeof address.sun_path, "%s", path) >= (int)sizeof address.sun_path)
    fail("the path of the socket is too long");
  if (bind(listener, (struct sockaddr *)&address, sizeof address) < 0 || listen(listener, 1) < 0)
    fail("the socket can't be made");
  connect_machine();
  printf("{\"ready\": true}\n");
  fflush(stdout);
  const int client = accept(listener, NULL, NULL);
  while (read(client, line, sizeof line) > 0) write_command();
  disconnect_machine();
}

static void be_refused(double seconds) {
  open_bus();
  for (const double end = now() + seconds; now() < end;) {
    DBusMessage *message, *reply = call(device_call("Connect"), true);
    if (reply != NULL) fail("the machine did not refuse");
    while ((message = dbus_connection_pop_message(bus)) != NULL) dbus_message_unref(message);
  }
  printf("{}\n");
}

int main(int argc, char **argv) {
  const char *action = argc > 1 ? argv[1] : "", *value = argc > 2 ? argv[2] : "0";
  name_machine();
  if (strcmp(action, "write") == 0) {
    write_commands(atoi(value));
  } else if (strcmp(action, "hold") == 0) {
    hold();
  } else if (strcmp(action, "relay") == 0) {
    relay(value);
  } else if (strcmp(action, "refused") == 0) {
    be_refused(atof(value));
  } else {
    fail("write COUNT, hold, relay SOCKET or refused SECONDS");
  }
  return 0;
}
