/* Finished meshes in a folder, a file each, named by the key of what they were made from. A file
 * that is short, damaged or of another version counts as missing. Failing to write is no error: the
 * mesh is made again next time. */
#include "shape/solid_internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file_internal.h"
#include "base/platform.h"

enum { most_path = 4096 };

typedef struct header {
  char magic[8];
  uint32_t version, vertices, triangles, reserved;
  uint64_t key, sum; /* the hash of what follows */
} header;

static const char magic[8] = "SiSolid";

const char *sinew_solid_cache_folder(char *dest, size_t capacity) {
  const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
#ifdef __APPLE__
  const char *below = "Library/Caches/sinew";
#else
  const char *below = ".cache/sinew";
#endif
  if (!SI_EXPECT(dest && capacity > 0)) return NULL;
  int length = -1;
  if (cache && si_path_absolute(cache))
    length = snprintf(dest, capacity, "%s/sinew", cache);
  else if (home && si_path_absolute(home))
    length = snprintf(dest, capacity, "%s/%s", home, below);
  return length > 0 && (size_t)length < capacity ? dest : NULL;
}

static bool path_of(const char *folder, uint64_t key, char dest[most_path]) {
  int length = snprintf(dest, most_path, "%s/%016llx.mesh", folder, (unsigned long long)key);
  return length > 0 && length < most_path;
}

static size_t body_size(uint32_t vertices, uint32_t triangles) {
  return (size_t)vertices * (6 * sizeof(float) + 1) + (size_t)triangles * 3 * sizeof(uint32_t);
}

static bool indices_good(const sinew_mesh *mesh) {
  for (int i = 0; i < 3 * mesh->triangle_count; i++)
    if (mesh->triangles[i] >= (uint32_t)mesh->vertex_count) return false;
  return true;
}

/* the arrays of a mesh are one block: vertices, normals, triangles, occlusion */
static sinew_mesh *parse(const unsigned char *bytes, size_t size, uint64_t key) {
  header h;
  if (size < sizeof h) return NULL;
  memcpy(&h, bytes, sizeof h);
  const void *body = bytes + sizeof h;
  if (memcmp(h.magic, magic, sizeof magic) != 0 || h.version != SI_SOLID_VERSION || h.key != key ||
      h.vertices > SINEW_MESH_VERTICES || h.triangles > SINEW_MESH_TRIANGLES ||
      size - sizeof h != body_size(h.vertices, h.triangles) ||
      h.sum != si_hash(key, body, size - sizeof h))
    return NULL;
  sinew_mesh *mesh = si_mesh_make(h.vertices, h.triangles, true, NULL);
  if (!mesh) return NULL;
  memcpy(mesh->vertices, body, size - sizeof h);
  if (indices_good(mesh)) return mesh;
  sinew_mesh_destroy(mesh);
  return NULL;
}

/* a pipe or a folder is neither read nor replaced */
static bool is_file(const char *path) { return si_file_look(path).regular; }

sinew_mesh *si_solid_cache_load(const char *folder, uint64_t key) {
  char path[most_path];
  unsigned char *bytes;
  size_t size;
  if (!path_of(folder, key, path) || !is_file(path)) return NULL;
  if (si_file_read(path, SINEW_MESH_BYTES, &bytes, &size, NULL) != SINEW_OK) return NULL;
  sinew_mesh *mesh = parse(bytes, size, key);
  si_free(bytes);
  return mesh;
}

typedef struct entry {
  char path[most_path];
  long long size, time;
} entry;

static bool is_ours(const char *name) {
  return strlen(name) == 21 && strspn(name, "0123456789abcdef") == 16 &&
         strcmp(name + 16, ".mesh") == 0;
}

typedef struct search {
  const char *folder;
  entry oldest;
  long long all; /* the size of all meshes */
  bool any;
} search;

static void look_at(const char *name, void *user) {
  search *s = user;
  entry e;
  if (!is_ours(name)) return;
  int length = snprintf(e.path, sizeof e.path, "%s/%s", s->folder, name);
  si_file_info info = si_file_look(e.path);
  if (length >= most_path || !info.regular) return;
  e.size = info.size;
  e.time = info.modified;
  s->all += e.size;
  if (s->any && e.time >= s->oldest.time) return;
  s->oldest = e;
  s->any = true;
}

/* the oldest mesh of the folder, and the size of all */
static bool oldest_in(const char *folder, entry *dest, long long *all) {
  search s = { .folder = folder };
  si_folder_list(folder, look_at, &s);
  *dest = s.oldest;
  *all = s.all;
  return s.any;
}

static void make_room(const char *folder, size_t most) {
  entry oldest;
  long long all;
  while (oldest_in(folder, &oldest, &all) && all > (long long)most)
    if (!si_file_remove(oldest.path)) return;
}

/* creates the folder and those above it */
static void make_folder(const char *folder) {
  char path[most_path];
  snprintf(path, sizeof path, "%s", folder);
  for (char *at = path + 1; *at; at++) {
    if (*at != '/') continue;
    *at = '\0';
    si_folder_make(path);
    *at = '/';
  }
  si_folder_make(path);
}

void si_solid_cache_save(const char *folder, uint64_t key, const sinew_mesh *mesh, size_t most) {
  char path[most_path];
  size_t body = body_size((uint32_t)mesh->vertex_count, (uint32_t)mesh->triangle_count);
  unsigned char *bytes = si_alloc(sizeof(header) + body);
  if (!bytes || !path_of(folder, key, path)) {
    si_free(bytes);
    return;
  }
  header h = { .version = SI_SOLID_VERSION,
               .vertices = (uint32_t)mesh->vertex_count,
               .triangles = (uint32_t)mesh->triangle_count,
               .key = key,
               .sum = si_hash(key, mesh->vertices, body) };
  memcpy(h.magic, magic, sizeof magic);
  memcpy(bytes, &h, sizeof h);
  memcpy(bytes + sizeof h, mesh->vertices, body);
  make_folder(folder);
  bool free_place = is_file(path) || !si_file_look(path).exists;
  if (free_place && sinew_file_write(path, bytes, sizeof h + body, NULL) == SINEW_OK)
    make_room(folder, most);
  si_free(bytes);
}
