"""A tray without a screen: takes the icons of the session bus and says what they say.

Reads one JSON line per question from standard input and answers with one: {"do": "look"} gives the label and the menu of
the newest icon, {"do": "click", "item": TEXT} chooses a line of that menu. {"ready": true} comes first.
"""

import json
import sys

import dbus
import dbus.service
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

WATCHER = "org.kde.StatusNotifierWatcher"
ITEM = "org.kde.StatusNotifierItem"
MENU = "com.canonical.dbusmenu"


class Watcher(dbus.service.Object):
    """What an icon looks for to show itself."""

    def __init__(self, bus):
        self.icons = []
        self.name = dbus.service.BusName(WATCHER, bus)
        super().__init__(bus, "/StatusNotifierWatcher")

    @dbus.service.method(WATCHER, in_signature="s", sender_keyword="sender")
    def RegisterStatusNotifierItem(self, service, sender=None):
        self.icons.append((sender, service if service.startswith("/") else "/StatusNotifierItem"))

    @dbus.service.method(dbus.PROPERTIES_IFACE, in_signature="ss", out_signature="v")
    def Get(self, _interface, name):
        return {"IsStatusNotifierHostRegistered": True, "ProtocolVersion": 0}[name]

    @dbus.service.method(dbus.PROPERTIES_IFACE, in_signature="s", out_signature="a{sv}")
    def GetAll(self, _interface):
        return {"IsStatusNotifierHostRegistered": True, "ProtocolVersion": 0}


def menu_of(bus, icon):
    sender, path = icon
    item = dbus.Interface(bus.get_object(sender, path), dbus.PROPERTIES_IFACE)
    label = str(item.Get(ITEM, "XAyatanaLabel"))
    menu = dbus.Interface(bus.get_object(sender, item.Get(ITEM, "Menu")), MENU)
    _revision, (_id, _properties, lines) = menu.GetLayout(0, -1, dbus.Array([], signature="s"))
    shown = [
        {"id": int(id), "text": str(properties.get("label", "")), "enabled": bool(properties.get("enabled", True))}
        for id, properties, _children in lines
    ]
    return label, menu, shown


def answer(bus, watcher, question):
    if not watcher.icons:
        return {"icons": 0}
    label, menu, lines = menu_of(bus, watcher.icons[-1])
    if question["do"] == "click":
        line = next(line for line in lines if line["text"] == question["item"])
        menu.Event(line["id"], "clicked", dbus.String(""), dbus.UInt32(0))
    return {"icons": len(watcher.icons), "label": label, "lines": lines}


def main():
    DBusGMainLoop(set_as_default=True)
    bus = dbus.SessionBus()
    watcher = Watcher(bus)
    loop = GLib.MainLoop()

    def on_line(source, _condition):
        line = source.readline()
        if not line:
            loop.quit()
            return False
        print(json.dumps(answer(bus, watcher, json.loads(line))), flush=True)
        return True

    GLib.io_add_watch(sys.stdin, GLib.PRIORITY_DEFAULT, GLib.IO_IN | GLib.IO_HUP, on_line)
    print(json.dumps({"ready": True}), flush=True)
    loop.run()


main()
