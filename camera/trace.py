"""Path-trace the same scenes that camera/learn_scenes.py draws, for light as it really falls.

Needs Blender as a module (`pip install bpy`; 4.2 was used). What is drawn knows one lamp and no
light that comes back from anywhere; here dice shade and colour each other, mirror the room, and
stand in the glow of coloured lamps. Shapes, places and faces are those of the drawn scene, so its
labels are these, too.
"""

import functools
import math
import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import bpy  # type: ignore[import-not-found]
import cv2
import numpy as np
from mathutils import Matrix, Vector  # type: ignore[import-not-found]

from camera.canvas import Pixels
from camera.learn_art import Chance, Paint, any_colour
from camera.learn_cubes import SIDES, SIZE_PX, Camera, Cube, Floats, Light, Look, Singles
from camera.learn_floors import any_texture
from camera.learn_scenes import Tray, towards, walls_of

SHARE = 0.6  # of SIZE_PX, that is traced; the finder sees half
SAMPLES = 4  # of light, for each pixel
ROUNDED = (0, 11, 22, 34)  # degrees, where the rounding of edges has vertices
FLOOR_DICE = 60.0  # wide
GLOWS = ((1, 0.03, 0.02), (0.04, 1, 0.1), (0.03, 0.15, 1), (1, 0.4, 0.03), (0.9, 0.05, 0.8))
CHIPS = 0.6  # share of leaning dice that have something under them
BOX = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))


@functools.cache
def _studio() -> Any:
    """Set Blender up once: few samples, few bounces, noise taken out."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    cycles = scene.cycles
    cycles.device, cycles.samples, cycles.use_adaptive_sampling = "CPU", SAMPLES, False
    cycles.use_denoising, cycles.denoiser = True, "OPENIMAGEDENOISE"
    cycles.denoising_quality, cycles.denoising_prefilter = "FAST", "NONE"
    cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = 4, 2, 1
    cycles.caustics_reflective = cycles.caustics_refractive = False
    cycles.sample_clamp_indirect = 3.0
    render = scene.render
    render.threads_mode, render.threads = "FIXED", 1
    render.resolution_x, render.resolution_y = (round(SHARE * size) for size in SIZE_PX)
    render.image_settings.file_format, render.image_settings.color_depth = "OPEN_EXR", "16"
    render.image_settings.color_mode = "RGB"
    scene.view_settings.view_transform = "Raw"
    scene.world = bpy.data.worlds.new("room")
    scene.world.use_nodes = True
    scene.camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    scene.collection.objects.link(scene.camera)
    return scene


def traced(
    rng: Chance, camera: Camera, light: Light, tray: Tray | None, cubes: list[Cube], look: Look
) -> Singles:  # fmt: skip
    """Trace dice on any floor: light (height, width, 3) BGR, a share of SIZE_PX large."""
    scene = _studio()
    _clear(scene)
    _aim(scene, camera)
    _floor(rng, tray)
    shine = _shine(rng, look)
    for cube in cubes:
        _die(rng, cube, look, shine)
        if cube.is_crooked and rng.random() < CHIPS:
            _chip(rng, cube)
    _lamps(rng, scene, light, tray)
    return _rendered(scene, int(rng.integers(2**30)))


def _clear(scene: Any) -> None:
    """Take all out but the camera."""
    for thing in list(bpy.data.objects):
        if thing is not scene.camera:
            bpy.data.objects.remove(thing)
    for kept in (bpy.data.meshes, bpy.data.lights, bpy.data.materials, bpy.data.images):
        for one in list(kept):
            kept.remove(one)


def _aim(scene: Any, camera: Camera) -> None:
    """Look as that camera does."""
    right, down, ahead = camera.turn
    axes = np.eye(4)
    axes[:3] = np.column_stack([right, -down, -ahead, camera.place])
    scene.camera.matrix_world = Matrix(axes.tolist())
    lens = scene.camera.data
    lens.sensor_fit, lens.sensor_width = "HORIZONTAL", 36
    lens.lens = camera.focal_px * 36 / SIZE_PX[0]
    lens.clip_start, lens.clip_end = 0.1, 1000


class Shine(NamedTuple):
    """What dice of one scene are made of: how rough it is, and how deep their pictures lie."""

    rough: float
    relief: float


def _shine(rng: Chance, look: Look) -> Shine:
    rough = float(rng.uniform(0.1, 0.45) if look.gloss else rng.uniform(0.35, 0.9))
    return Shine(rough, float(rng.uniform(0.1, 0.5)) if rng.random() < 0.5 else 0.0)


def _material(picture: Pixels, rough: float, relief: float) -> Any:
    """A surface that shows a picture (BGR), whose dark parts may lie deeper."""
    made = bpy.data.materials.new("surface")
    made.use_nodes = True
    nodes, link = made.node_tree.nodes, made.node_tree.links.new
    surface = nodes["Principled BSDF"]
    surface.inputs["Roughness"].default_value = rough
    shown = nodes.new("ShaderNodeTexImage")
    shown.image = _image(picture)
    link(shown.outputs["Color"], surface.inputs["Base Color"])
    if relief:
        bump = nodes.new("ShaderNodeBump")
        bump.inputs["Strength"].default_value, bump.inputs["Distance"].default_value = relief, 0.02
        link(shown.outputs["Color"], bump.inputs["Height"])
        link(bump.outputs[0], surface.inputs["Normal"])
    return made


def _image(picture: Pixels) -> Any:
    height, width = picture.shape[:2]
    image = bpy.data.images.new("picture", width, height)
    whole = np.ones((height, width, 4), np.float32)
    whole[..., :3] = picture[::-1, :, ::-1] / np.float32(255)
    image.pixels.foreach_set(whole.ravel())
    return image


def _plain(colour: Any, rough: float = 0.6) -> Any:
    """A surface of one colour."""
    return _material(np.full((2, 2, 3), np.clip(colour, 0, 255), np.uint8), rough, 0.0)


def _mesh(points: Floats, polygons: Sequence[Any], where: Floats | None, surface: Any) -> Any:
    """Put something into the scene: points (N, 3), and places (N, 2) of those in its picture."""
    mesh = bpy.data.meshes.new("thing")
    mesh.from_pydata(points.tolist(), [], polygons)
    if where is not None:
        layer, of = mesh.uv_layers.new(name="uv"), np.empty(len(mesh.loops), np.int32)
        mesh.loops.foreach_get("vertex_index", of)
        layer.data.foreach_set("uv", where[of].astype(np.float32).ravel())
    mesh.materials.append(surface)
    thing = bpy.data.objects.new("thing", mesh)
    bpy.context.scene.collection.objects.link(thing)
    return thing


@functools.lru_cache(8)
def _rounded(edge: float) -> tuple[Floats, Floats, list[list[int]], Floats]:
    """A rounded cube of side 1: points, normals, polygons, and places in six pictures."""
    core = 0.5 - edge
    rising = [core + edge * math.tan(math.radians(angle)) for angle in ROUNDED]
    steps = np.array([-0.5, *(-one for one in rising[::-1]), *rising, 0.5])
    count = len(steps)
    along, above = (grid.ravel()[:, None] for grid in np.meshgrid(steps, steps, indexing="ij"))
    flat = [0.5 * side.normal + along * side.right + above * side.up for side in SIDES]
    inner = np.clip(np.concatenate(flat), -core, core)
    away = np.concatenate(flat) - inner
    normals = away / np.linalg.norm(away, axis=1, keepdims=True)
    low = np.arange(count * count).reshape(count, count)[:-1, :-1].ravel()
    one = np.stack([low, low + count, low + count + 1, low + 1], axis=1)
    polygons = np.concatenate([one + n * count * count for n in range(len(SIDES))])
    places = np.concatenate([np.hstack([along, above]) + 0.5] * len(SIDES))
    return inner + edge * normals, normals, polygons.tolist(), places


def _die(rng: Chance, cube: Cube, look: Look, shine: Shine) -> None:
    """Lay a die into the scene."""
    points, normals, polygons, places = _rounded(round(look.round, 2))
    side = np.repeat(np.arange(len(SIDES)), len(points) // len(SIDES))
    inside = np.clip((places - 0.5) / look.print + 0.5, 0.005, 0.995)
    where = np.column_stack([(side + inside[:, 0]) / len(SIDES), inside[:, 1]])
    worn = np.concatenate(cube.faces, axis=1) * np.exp(rng.normal(0, 0.03))
    atlas = np.asarray(np.clip(worn, 0, 255), np.uint8)
    atlas = np.asarray(cv2.resize(atlas, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC))
    die = _mesh(points, polygons, where, _material(atlas, shine.rough, shine.relief))
    mesh = die.data
    mesh.polygons.foreach_set("use_smooth", np.ones(len(polygons), np.bool_))
    mesh.normals_split_custom_set_from_vertices(normals.tolist())
    placed = np.eye(4)
    placed[:3, :3], placed[:3, 3] = cube.turn, cube.centre
    die.matrix_world = Matrix(placed.tolist())


def _chip(rng: Chance, cube: Cube) -> None:
    """Put something flat under the side of a leaning die that is up."""
    below = min((cube.turn @ side.normal for side in SIDES), key=lambda way: float(way[2]))
    slope = -below[:2] / below[2]
    steep = float(np.hypot(*slope))
    rise = float(cube.centre[2] + 0.5 / below[2])
    high = rng.uniform(0.12, 0.42)
    start = (high - rise) / max(steep, 1e-3)
    if not -0.35 < start < 0.42:
        return
    uphill, wide = slope / max(steep, 1e-6), rng.uniform(0.3, 0.6)
    middle = cube.centre[:2] + (start + wide) * uphill
    corners = int(rng.choice([3, 4, 5, 6, 24]))
    turns = math.atan2(-uphill[1], -uphill[0]) + 2 * math.pi * np.arange(corners) / corners
    _prism(middle + wide * np.column_stack([np.cos(turns), np.sin(turns)]), high, any_colour(rng))


def _prism(ring: Floats, high: float, colour: Paint) -> None:
    """Stand something on the floor, whose outline is a ring (N, 2)."""
    count = len(ring)
    points = np.concatenate([np.column_stack([ring, np.full(count, z)]) for z in (0.0, high)])
    ends = [(n, (n + 1) % count) for n in range(count)]
    around = [[one, other, count + other, count + one] for one, other in ends]
    _mesh(points, [list(range(count, 2 * count)), *around], None, _plain(colour))


def _floor(rng: Chance, tray: Tray | None) -> None:
    """Lay the floor, the table below it, and the walls."""
    half = (FLOOR_DICE / 2,) * 2 if tray is None else tray.half
    relief = rng.uniform(0.1, 0.9) if rng.random() < 0.6 else 0.0
    cloth = _material(any_texture(rng), float(rng.uniform(0.4, 1.0)), float(relief))
    _level(half, 0.0, cloth)
    _level((90.0, 90.0), -0.4, _plain(any_colour(rng)))
    if tray is None:
        return
    wall = cloth if rng.random() < 0.4 else _plain(tray.colour, float(rng.uniform(0.3, 0.9)))
    for box in walls_of(tray):
        points = box.corners()
        where = 0.5 + (points[:, :2] + points[:, 2:]) / (2 * np.array(half))
        _mesh(points, BOX, where, wall)


def _level(half: Any, height: float, surface: Any) -> None:
    x, y = half
    points = np.array([(-x, -y, height), (x, -y, height), (x, y, height), (-x, y, height)])
    _mesh(points, [[0, 1, 2, 3]], np.array([(0.0, 0), (1, 0), (1, 1), (0, 1)]), surface)


def _lamps(rng: Chance, scene: Any, light: Light, tray: Tray | None) -> None:
    """Light the scene: one lamp, the room, perhaps another lamp, perhaps a coloured one beside."""
    size = light.soft_px * rng.uniform(0.5, 1.5)
    _lamp(rng, light.towards, size, light.lamp)
    if rng.random() < 0.3:
        there = towards(rng.uniform(0, 2 * math.pi), rng.uniform(0.5, 1.3))
        _lamp(rng, there, rng.uniform(1, 12), light.lamp * rng.uniform(0.2, 1))
    room = scene.world.node_tree.nodes["Background"]
    room.inputs[0].default_value = (*np.exp(rng.normal(0, 0.1, 3)).tolist(), 1)
    room.inputs[1].default_value = float(light.rest * rng.uniform(0.08, 0.5))
    if rng.random() < 0.35:
        _glow(rng, (12.0, 9.0) if tray is None else tray.half)


def _glow(rng: Chance, half: tuple[float, float]) -> None:
    """Hang a coloured lamp above a corner of a tray."""
    lamp = bpy.data.lights.new("glow", "POINT")
    lamp.color = GLOWS[int(rng.integers(len(GLOWS)))]
    corner = rng.choice([-1, 1], 2) * (np.array(half) + 0.5)
    height = rng.uniform(1.5, 6)
    lamp.energy = float(math.exp(rng.normal(0, 0.7)) * 10 * (corner @ corner + height**2))
    lamp.shadow_soft_size = float(rng.uniform(0.05, 0.4))
    _hang(lamp, np.array([*corner, height]))


def _lamp(rng: Chance, there: Floats, size: float, strength: float) -> None:
    """Hang a wide lamp in a direction (3,) of length 1."""
    far = rng.uniform(25, 50)
    lamp = bpy.data.lights.new("lamp", "AREA")
    lamp.size = float(max(0.3, size))
    warm = rng.uniform(-0.35, 0.6)
    lamp.color = (1.0, math.exp(-0.5 * max(warm, 0)), math.exp(-warm - abs(warm) / 4))
    lamp.energy = float(strength * math.pi * far**2)
    _hang(lamp, there * far)


def _hang(lamp: Any, place: Floats) -> None:
    """Hang a lamp there, shining to the middle."""
    thing = bpy.data.objects.new("lamp", lamp)
    thing.location = place.tolist()
    thing.rotation_euler = Vector((-place).tolist()).to_track_quat("-Z", "Y").to_euler()
    bpy.context.scene.collection.objects.link(thing)


def _rendered(scene: Any, seed: int) -> Singles:
    """The light that falls on each pixel: (height, width, 3) BGR."""
    scene.cycles.seed = seed
    with tempfile.TemporaryDirectory() as folder:
        scene.render.filepath = str(Path(folder) / "light.exr")
        with _quiet():
            bpy.ops.render.render(write_still=True)
        image = bpy.data.images.load(scene.render.filepath)
        width, height = image.size
        light = np.empty(width * height * 4, np.float32)
        image.pixels.foreach_get(light)
    return np.asarray(light.reshape(height, width, 4)[::-1, :, 2::-1], np.float32)


@contextmanager
def _quiet() -> Iterator[None]:
    """Let nobody see the hundred lines that Blender writes of each picture."""
    shown, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        os.dup2(shown, 1)
        os.close(shown)
        os.close(nowhere)
