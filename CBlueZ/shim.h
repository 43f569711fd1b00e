// The two C libraries of the bridge, and what Swift can't import from their macros.

#ifndef CBLUEZ_SHIM_H
#define CBLUEZ_SHIM_H

#include <dbus/dbus.h>

// Before BlueZ 5.84 these three must come in this order.
#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>
#include <bluetooth/hci_lib.h>

// DBUS_TYPE_* are casts of character literals, which Swift does not import.
enum __attribute__((enum_extensibility(open))) CDBusType : int {
  CDBusTypeInvalid = DBUS_TYPE_INVALID,
  CDBusTypeByte = DBUS_TYPE_BYTE,
  CDBusTypeBoolean = DBUS_TYPE_BOOLEAN,
  CDBusTypeInt16 = DBUS_TYPE_INT16,
  CDBusTypeUInt16 = DBUS_TYPE_UINT16,
  CDBusTypeInt32 = DBUS_TYPE_INT32,
  CDBusTypeUInt32 = DBUS_TYPE_UINT32,
  CDBusTypeInt64 = DBUS_TYPE_INT64,
  CDBusTypeUInt64 = DBUS_TYPE_UINT64,
  CDBusTypeDouble = DBUS_TYPE_DOUBLE,
  CDBusTypeString = DBUS_TYPE_STRING,
  CDBusTypeObjectPath = DBUS_TYPE_OBJECT_PATH,
  CDBusTypeSignature = DBUS_TYPE_SIGNATURE,
  CDBusTypeArray = DBUS_TYPE_ARRAY,
  CDBusTypeVariant = DBUS_TYPE_VARIANT,
  CDBusTypeStruct = DBUS_TYPE_STRUCT,
  CDBusTypeDictEntry = DBUS_TYPE_DICT_ENTRY,
};

#endif
