# Compares where Blender has the nodes of exported characters with what places.lua printed:
# blender -b --factory-startup --python-exit-code 3 --python blender.py -- PLACES.json...
import json
import sys

import numpy

for kind in (bool, int, float):  # Blender 3's importer uses names that numpy has dropped
    if kind.__name__ not in numpy.__dict__:
        setattr(numpy, kind.__name__, kind)

import bpy

TOLERANCE = 1e-4


def nodes():
    """World positions by name: of bones their heads, of objects their origins. Up is z there."""
    found = {}
    depsgraph = bpy.context.evaluated_depsgraph_get()
    for thing in bpy.data.objects:
        placed = thing.evaluated_get(depsgraph)
        found[thing.name] = placed.matrix_world.translation
        if thing.type == "ARMATURE":
            for bone in placed.pose.bones:
                found[bone.name] = placed.matrix_world @ bone.head
    return {name: (at.x, at.z, -at.y) for name, at in found.items()}


def check(path):
    with open(path, encoding="utf-8") as file:
        places = json.load(file)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = int(places["fps"])
    bpy.ops.import_scene.gltf(filepath=places["file"])
    for thing in bpy.data.objects:  # the importer keeps each animation in a track that is mute
        if thing.animation_data:
            for track in thing.animation_data.nla_tracks:
                if track.name == places["animation"]:
                    thing.animation_data.action = track.strips[0].action
    worst, where, count, joints = 0, "", 0, set()
    for frame in places["frames"]:
        at = frame["time"] * places["fps"]
        bpy.context.scene.frame_set(round(at))
        have = nodes()
        for name, matrix in frame["nodes"].items():
            if name not in have:
                continue
            off = sum((a - b) ** 2 for a, b in zip(have[name], matrix[12:15])) ** 0.5
            joints.add(name)
            count += 1
            if not off <= worst:
                worst, where = off, f"'{name}' at {frame['time']}"
    print(f"{places['file']}: {len(places['frames'])} frames, {len(joints)} of "
          f"{len(places['frames'][0]['nodes'])} nodes, off by {worst:.1e} m, {where}")
    return worst <= TOLERANCE and count > 0


files = sys.argv[sys.argv.index("--") + 1:]
good = sum([check(path) for path in files])
print(f"{good} of {len(files)} files agree")
sys.exit(good != len(files))
