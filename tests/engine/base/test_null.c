/* Every public function that takes a pointer calls the assert handler for a NULL that it does not
 * allow, and returns. The test reads the headers to find functions that it does not cover. */
#include "asserts.h"
#include "minunit.h"

#include <sinew/sinew.h>

#include <ctype.h>
#include <dirent.h>

static char tried[1 << 14]; /* " name( name(" of every function that was called */

static void note(const char *call) {
  size_t end = strlen(tried);
  snprintf(tried + end, sizeof tried - end, " %.*s", (int)(strchr(call, '(') + 1 - call), call);
  if (!asserted) mu_fail(__FILE__, __LINE__, "%s does not call the handler", call);
}

#define TRY(call) (asserted = 0, (void)(call), note(#call))

static void try_all(void) {
  const sinew_segment s = { 0 };
  const sinew_dof d = { 0 };
  const sinew_component c = { 0 };
  const sinew_joint_set j = { 0 };
  TRY(sinew_batch_create(NULL, NULL, NULL)), TRY(sinew_batch_rig(NULL)),
      TRY(sinew_batch_lanes(NULL)), TRY(sinew_batch_instructions(NULL)),
      TRY(sinew_batch_threads(NULL)), TRY(sinew_batch_eval(NULL, NULL, 0, NULL, NULL)),
      TRY(sinew_budget_create(NULL, NULL)), TRY(sinew_budget_cancel(NULL)),
      TRY(sinew_budget_used(NULL)), TRY(sinew_budget_renew(NULL)), TRY(sinew_budget_status(NULL)),
      TRY(sinew_builder_add_joint_set(NULL, NULL, NULL, NULL)),
      TRY(sinew_builder_add_segment(NULL, NULL, NULL)),
      TRY(sinew_builder_add_dof(NULL, NULL, NULL)),
      TRY(sinew_builder_add_component(NULL, NULL, NULL)),
      TRY(sinew_builder_connect(NULL, c, NULL, NULL)),
      TRY(sinew_builder_drive(NULL, s, NULL, NULL, NULL)),
      TRY(sinew_builder_add_class(NULL, NULL, NULL)), TRY(sinew_builder_name(NULL)),
      TRY(sinew_builder_counts(NULL)), TRY(sinew_builder_joint_set_name(NULL, j)),
      TRY(sinew_builder_segment_name(NULL, s)), TRY(sinew_builder_segment_parent(NULL, s)),
      TRY(sinew_builder_segment_rest(NULL, s)), TRY(sinew_builder_segment_joint_set(NULL, s)),
      TRY(sinew_builder_segment_driver(NULL, s)), TRY(sinew_builder_dof_info(NULL, d)),
      TRY(sinew_builder_component_name(NULL, c)), TRY(sinew_builder_component_kind(NULL, c)),
      TRY(sinew_builder_component_joint_set(NULL, c)), TRY(sinew_builder_wire_count(NULL, c)),
      TRY(sinew_builder_wire(NULL, c, 0)), TRY(sinew_builder_wire_source(NULL, c, 0)),
      TRY(sinew_builder_param_at(NULL, c, 0)), TRY(sinew_builder_param(NULL, c, NULL)),
      TRY(sinew_builder_class(NULL, NULL)), TRY(sinew_builder_output_count(NULL, c)),
      TRY(sinew_builder_output_name(NULL, c, 0, NULL, 0)),
      TRY(sinew_builder_output_kind(NULL, c, 0)), TRY(sinew_builder_set_param(NULL, c, NULL, NULL)),
      TRY(sinew_builder_set_rest(NULL, s, NULL, NULL)),
      TRY(sinew_builder_segment_mass(NULL, s, NULL)),
      TRY(sinew_builder_set_mass(NULL, s, 0, NULL, NULL)),
      TRY(sinew_builder_set_stiffness(NULL, d, 0, NULL)),
      TRY(sinew_builder_set_dof_range(NULL, d, 0, 0, 0, NULL)),
      TRY(sinew_builder_set_constant(NULL, c, 0, NULL, NULL)),
      TRY(sinew_builder_compile(NULL, NULL)), TRY(sinew_builder_error(NULL)),
      TRY(sinew_wire_numbers(NULL, NULL, 3)), TRY(sinew_interp_find(NULL, NULL)),
      TRY(sinew_clip_copy(NULL, NULL)), TRY(sinew_clip_set_key(NULL, NULL, 0, 0, 0, NULL)),
      TRY(sinew_builder_passed_to(NULL, c, 0)), TRY(sinew_rig_passed_to(NULL, c, 0)),
      TRY(sinew_builder_find(NULL, NULL)), TRY(sinew_builder_find_joint_set(NULL, NULL)),
      TRY(sinew_builder_rewind(NULL, (sinew_counts){ 0 })),
      TRY(sinew_clip_move_key(NULL, 0, 0, 0, 0, NULL, NULL)),
      TRY(sinew_clip_remove_key(NULL, 0, 0)), TRY(sinew_clip_remove_channel(NULL, 0)),
      TRY(sinew_clip_channel_count(NULL)), TRY(sinew_clip_channel_name(NULL, 0)),
      TRY(sinew_clip_find_channel(NULL, NULL)), TRY(sinew_clip_key_count(NULL, 0)),
      TRY(sinew_clip_key_at(NULL, 0, 0)), TRY(sinew_clip_duration(NULL)),
      TRY(sinew_clip_frame_count(NULL, 0)), TRY(sinew_clip_fps(NULL)),
      TRY(sinew_clip_set_fps(NULL, 30, NULL)), TRY(sinew_clip_loop(NULL)),
      TRY(sinew_clip_set_loop(NULL, 0)), TRY(sinew_clip_sample(NULL, 0, 0)),
      TRY(sinew_clip_apply(NULL, NULL, 0, NULL)), TRY(sinew_clip_load(NULL, NULL)),
      TRY(sinew_clip_save(NULL, NULL, NULL)), TRY(sinew_clip_parse(NULL, NULL, 0, NULL)),
      TRY(sinew_clip_set_pin(NULL, NULL, SINEW_PIN_TURN, NULL, NULL)),
      TRY(sinew_clip_pin_count(NULL)), TRY(sinew_clip_pin(NULL, 0)),
      TRY(sinew_pose_explain(NULL, NULL, 0)), TRY(sinew_clip_format(NULL, NULL, NULL)),
      TRY(sinew_cone_create(NULL, NULL)), TRY(sinew_cone_create_ellipse(NULL, NULL)),
      TRY(sinew_cone_bytes(NULL)), TRY(sinew_cone_count(NULL)),
      TRY(sinew_cone_point(NULL, 0, NULL)), TRY(sinew_cone_visible_point(NULL, NULL)),
      TRY(sinew_cone_rest(NULL, NULL)), TRY(sinew_cone_point_twist(NULL, 0, NULL)),
      TRY(sinew_cone_area(NULL)), TRY(sinew_cone_inside(NULL, NULL, NULL)),
      TRY(sinew_cone_exit(NULL, NULL, NULL, NULL, NULL)),
      TRY(sinew_cone_hold(NULL, NULL, NULL, NULL)), TRY(sinew_cone_twist(NULL, NULL, NULL, NULL)),
      TRY(sinew_cone_create_fit(NULL, NULL, NULL)), TRY(sinew_curve_create(NULL, NULL)),
      TRY(sinew_curve_eval(NULL, 0, NULL)), TRY(sinew_curve_describe(NULL)),
      TRY(sinew_field_memory(NULL, NULL)), TRY(sinew_field_from_motion(NULL, NULL, NULL, NULL)),
      TRY(sinew_field_from_surface(NULL, NULL, NULL, NULL)), TRY(sinew_field_surface(NULL, NULL)),
      TRY(sinew_field_axis_count(NULL)), TRY(sinew_field_axis_info(NULL, 0)),
      TRY(sinew_field_order(NULL, 0)), TRY(sinew_field_epsilon(NULL)), TRY(sinew_field_bytes(NULL)),
      TRY(sinew_field_nodes(NULL)), TRY(sinew_field_components(NULL)),
      TRY(sinew_field_sculpted(NULL)), TRY(sinew_field_distances(NULL)),
      TRY(sinew_field_lookup(NULL, NULL, NULL)), TRY(sinew_field_feasible(NULL, NULL)),
      TRY(sinew_field_project(NULL, NULL, NULL)), TRY(sinew_field_save(NULL, NULL, NULL)),
      TRY(sinew_field_load(NULL, 0, NULL)), TRY(sinew_field_decode(NULL, NULL, 0, 0, NULL)),
      TRY(sinew_field_encoded_bytes(NULL)), TRY(sinew_field_encode(NULL, NULL)),
      TRY(sinew_file_write(NULL, NULL, 0, NULL)),
      TRY(sinew_fit_measure(NULL, NULL, NULL, 0, NULL, 0, NULL, NULL)),
      TRY(sinew_fit_stretch(NULL, NULL, 0, NULL, 0, NULL, NULL, 0, NULL)),
      TRY(sinew_fit_create(NULL, NULL, NULL, NULL)), TRY(sinew_fit_dof_count(NULL)),
      TRY(sinew_fit_dof(NULL, 0)), TRY(sinew_fit_target(NULL, 0, 0, NULL)),
      TRY(sinew_fit_frame(NULL, 0, 0, NULL, NULL, NULL)), TRY(sinew_fit_error(NULL, 0)),
      TRY(sinew_gltf_create(NULL, NULL)), TRY(sinew_gltf_set_shape(NULL, s, (sinew_shape){ 0 })),
      TRY(sinew_gltf_set_label(NULL, d, NULL, NULL)), TRY(sinew_gltf_set_skinned(NULL, 0)),
      TRY(sinew_gltf_set_tolerance(NULL, 1, NULL)), TRY(sinew_gltf_begin(NULL, NULL, NULL)),
      TRY(sinew_gltf_add(NULL, NULL, 0, NULL)), TRY(sinew_gltf_write(NULL, 0, NULL, NULL, NULL)),
      TRY(sinew_builder_set_binding(NULL, NULL)), TRY(sinew_builder_binding(NULL)),
      TRY(sinew_rig_binding(NULL)), TRY(sinew_character_load(NULL, NULL)),
      TRY(sinew_character_parse(NULL, NULL, 0, NULL)), TRY(sinew_character_warnings(NULL)),
      TRY(sinew_character_height(NULL)), TRY(sinew_character_node_count(NULL)),
      TRY(sinew_character_node_info(NULL, 0)), TRY(sinew_character_find(NULL, NULL, NULL)),
      TRY(sinew_character_extent(NULL, 0, NULL, NULL)), TRY(sinew_character_part_count(NULL)),
      TRY(sinew_character_part_info(NULL, 0)), TRY(sinew_character_image_count(NULL)),
      TRY(sinew_character_image_info(NULL, 0)), TRY(sinew_character_matrix_count(NULL)),
      TRY(sinew_character_bind(NULL, NULL, NULL)),
      TRY(sinew_character_bind_text(NULL, NULL, NULL, NULL)), TRY(sinew_character_is_bound(NULL)),
      TRY(sinew_character_segment_count(NULL)), TRY(sinew_character_drives(NULL, 0)),
      TRY(sinew_character_place(NULL)), TRY(sinew_character_worlds(NULL, NULL, NULL)),
      TRY(sinew_character_matrices(NULL, NULL, NULL)),
      TRY(sinew_character_limit_of(NULL, NULL, 0, 0, NULL, NULL)),
      TRY(sinew_character_limits(NULL, NULL, 0, NULL, 0, NULL)),
      TRY(sinew_character_stored_limits(NULL, NULL, 0)),
      TRY(sinew_character_stored_dofs(NULL, NULL, 0)),
      TRY(sinew_character_stored_holds(NULL, NULL, 0)),
      TRY(sinew_character_restore(NULL, NULL, NULL)), TRY(sinew_character_file(NULL, NULL, NULL)),
      TRY(sinew_character_of_rig(NULL, NULL, NULL)),
      TRY(sinew_character_take_create(NULL, NULL, NULL)),
      TRY(sinew_character_take_add(NULL, NULL, 0, NULL)),
      TRY(sinew_character_write(NULL, NULL, 0, NULL, NULL, NULL, NULL)),
      TRY(sinew_skeleton_load(NULL, NULL)), TRY(sinew_skeleton_parse(NULL, NULL, 0, NULL)),
      TRY(sinew_mesh_load(NULL, NULL)), TRY(sinew_mesh_parse(NULL, NULL, 0, NULL)),
      TRY(sinew_mesh_joint_name(NULL, 0)), TRY(sinew_mjcf_format(NULL, NULL, NULL, NULL, NULL)),
      TRY(sinew_motion_load(NULL, NULL, NULL)),
      TRY(sinew_motion_parse(NULL, NULL, 0, NULL, 0, NULL, NULL)), TRY(sinew_motion_kind_of(NULL)),
      TRY(sinew_motion_format(NULL)), TRY(sinew_motion_frame_count(NULL)),
      TRY(sinew_motion_rate(NULL)), TRY(sinew_motion_unit(NULL)), TRY(sinew_motion_warnings(NULL)),
      TRY(sinew_motion_joint_count(NULL)), TRY(sinew_motion_joint_info(NULL, 0)),
      TRY(sinew_motion_find(NULL, NULL, NULL)), TRY(sinew_motion_joint_local(NULL, 0, 0, NULL)),
      TRY(sinew_motion_joint_world(NULL, 0, 0, NULL)), TRY(sinew_motion_worlds(NULL, 0, NULL)),
      TRY(sinew_motion_marker_count(NULL)), TRY(sinew_motion_marker_name(NULL, 0)),
      TRY(sinew_motion_markers(NULL, 0)), TRY(sinew_motion_gaps(NULL, 0)),
      TRY(sinew_pose_create(NULL, NULL)), TRY(sinew_pose_rig(NULL)),
      TRY(sinew_pose_set(NULL, d, 0, NULL)), TRY(sinew_pose_set_all(NULL, NULL, 0, NULL)),
      TRY(sinew_pose_get(NULL, d)), TRY(sinew_pose_dofs(NULL)), TRY(sinew_pose_reset(NULL)),
      TRY(sinew_pose_eval(NULL, NULL)), TRY(sinew_pose_set_plain(NULL, 0)),
      TRY(sinew_pose_world(NULL, s)), TRY(sinew_pose_worlds(NULL)), TRY(sinew_pose_local(NULL, s)),
      TRY(sinew_pose_value(NULL, c, 0)), TRY(sinew_pose_input(NULL, c, 0)),
      TRY(sinew_pose_verify(NULL, NULL)), TRY(sinew_pose_holds(NULL, NULL, 0)),
      TRY(sinew_rig_step_count(NULL)), TRY(sinew_rig_step(NULL, 0)),
      TRY(sinew_rig_unused_count(NULL)), TRY(sinew_pose_repeat_steps(NULL, 0, 0, NULL)),
      TRY(sinew_recording_create(NULL, 0, NULL)), TRY(sinew_recording_add(NULL, NULL, NULL)),
      TRY(sinew_recording_frame_count(NULL)), TRY(sinew_recording_bvh(NULL, 0, NULL, NULL)),
      TRY(sinew_recording_csv(NULL, NULL, NULL)), TRY(sinew_rig_load(NULL, NULL)),
      TRY(sinew_rig_detach(NULL)), TRY(sinew_rig_name(NULL)), TRY(sinew_rig_segment_count(NULL)),
      TRY(sinew_rig_dof_count(NULL)), TRY(sinew_rig_component_count(NULL)),
      TRY(sinew_rig_joint_set_count(NULL)), TRY(sinew_rig_bytes(NULL)),
      TRY(sinew_rig_pose_bytes(NULL)), TRY(sinew_rig_can_fail(NULL)),
      TRY(sinew_rig_segment(NULL, 0)), TRY(sinew_rig_dof(NULL, 0)),
      TRY(sinew_rig_component(NULL, 0)), TRY(sinew_rig_joint_set(NULL, 0)),
      TRY(sinew_rig_find_param(NULL, c, NULL)), TRY(sinew_catalog_find(NULL)),
      TRY(sinew_class_find_param(NULL, NULL)), TRY(sinew_class_find_input(NULL, NULL)),
      TRY(sinew_class_input_marked(NULL, 1)), TRY(sinew_class_output_marked(NULL, 1)),
      TRY(sinew_class_param_marked(NULL, 1, NULL)), TRY(sinew_turn_eval(NULL, 0, NULL)),
      TRY(sinew_turn_make(NULL, NULL, 0, 0, 0, NULL)),
      TRY(sinew_rig_find_segment(NULL, NULL, NULL)), TRY(sinew_rig_find_dof(NULL, NULL, NULL)),
      TRY(sinew_rig_find_component(NULL, NULL, NULL)), TRY(sinew_rig_segment_info(NULL, s)),
      TRY(sinew_rig_dof_info(NULL, d)), TRY(sinew_rig_component_info(NULL, c)),
      TRY(sinew_rig_joint_set_name(NULL, j)), TRY(sinew_rig_input(NULL, c, 0)),
      TRY(sinew_rig_output_kind(NULL, c, 0)), TRY(sinew_rig_input_name(NULL, c, 0, NULL, 0)),
      TRY(sinew_rig_output_name(NULL, c, 0, NULL, 0)), TRY(sinew_rig_param(NULL, c, 0)),
      TRY(sinew_rig_depends(NULL, c, d)), TRY(sinew_rig_formula(NULL, c, NULL, NULL, 0)),
      TRY(sinew_builder_set_warnings(NULL, NULL)), TRY(sinew_rig_cone(NULL, c)),
      TRY(sinew_rig_constant(NULL, c, 0)), TRY(sinew_rig_order(NULL, 0)),
      TRY(sinew_rig_warnings(NULL)), TRY(sinew_rig_set_param(NULL, c, NULL, NULL)),
      TRY(sinew_rig_set_params(NULL, c, NULL, 0, NULL)),
      TRY(sinew_rig_set_rest(NULL, s, NULL, NULL)),
      TRY(sinew_rig_set_dof_range(NULL, d, 0, 0, 0, NULL)),
      TRY(sinew_rig_set_constant(NULL, c, 0, NULL, NULL)), TRY(sinew_rig_revision(NULL)),
      TRY(sinew_skin_long_bones(NULL, NULL, 0)), TRY(sinew_skin_create(NULL, NULL, NULL)),
      TRY(sinew_skin_deform(NULL, NULL, 0, NULL, NULL)), TRY(sinew_skin_vertex_count(NULL)),
      TRY(sinew_skin_weight_count(NULL)), TRY(sinew_skin_weights(NULL)),
      TRY(sinew_skin_segments(NULL)), TRY(sinew_skin_take_joints(NULL, NULL, NULL, NULL)),
      TRY(sinew_skin_find_fused(NULL, NULL, NULL, NULL, 0, NULL, NULL)),
      TRY(sinew_gltf_set_skin(NULL, NULL, (sinew_shape){ 0 }, NULL)),
      TRY(sinew_skin_envelope(NULL, NULL, 0, 0, NULL)), TRY(sinew_solid_create(NULL, NULL)),
      TRY(sinew_solid_placed(NULL, NULL, NULL)), TRY(sinew_solid_merge(NULL, 0, NULL)),
      TRY(sinew_solid_piece_count(NULL)), TRY(sinew_solid_piece(NULL, 0, NULL)),
      TRY(sinew_solid_distance(NULL, NULL)), TRY(sinew_solid_hash(NULL)),
      TRY(sinew_solid_cache_folder(NULL, 0)), TRY(sinew_solid_mesh(NULL, NULL, NULL)),
      TRY(sinew_mesh_simplify(NULL, 1, NULL, 1, 0, 0)), TRY(sinew_solver_create(NULL, NULL, NULL)),
      TRY(sinew_reach_create(NULL, s, NULL)), TRY(sinew_reach(NULL, NULL, SINEW_X)),
      TRY(sinew_solver_dof_count(NULL)), TRY(sinew_solver_dof(NULL, 0)),
      TRY(sinew_solver_goal_count(NULL)), TRY(sinew_solver_goal(NULL, 0)),
      TRY(sinew_solver_set_goal(NULL, 0, NULL, NULL)),
      TRY(sinew_solver_set_range(NULL, 0, 0, 0, NULL)), TRY(sinew_solver_stiffness(NULL, 0)),
      TRY(sinew_solver_range(NULL, 0, NULL, NULL)),
      TRY(sinew_solver_set_stiffness(NULL, 0, 1, NULL)), TRY(sinew_solver_press(NULL, NULL, NULL)),
      TRY(sinew_solver_drag(NULL, NULL, NULL, NULL, NULL)),
      TRY(sinew_solver_solve(NULL, NULL, NULL, NULL, NULL)), TRY(sinew_goal_error(NULL, NULL)),
      TRY(sinew_solve_batch_create(NULL, NULL, 1, NULL)), TRY(sinew_solve_batch_threads(NULL)),
      TRY(sinew_solve_batch_solver(NULL)),
      TRY(sinew_solve_batch_run(NULL, NULL, 0, NULL, 0, NULL, NULL, NULL)),
      TRY(sinew_surface_load_obj(NULL, NULL)), TRY(sinew_surface_parse_obj(NULL, NULL, 0, NULL)),
      TRY(sinew_surface_save_obj(NULL, NULL, NULL)), TRY(sinew_surface_check(NULL, NULL)),
      TRY(sinew_surface_vertex_count(NULL)), TRY(sinew_surface_triangle_count(NULL)),
      TRY(sinew_surface_vertices(NULL)), TRY(sinew_surface_triangles(NULL)),
      TRY(sinew_tangent_create(NULL, NULL, NULL)), TRY(sinew_tangent_columns(NULL)),
      TRY(sinew_tangent_dof(NULL, 0)), TRY(sinew_tangent_eval(NULL, NULL, NULL)),
      TRY(sinew_tangent_reach(NULL, s, NULL)), TRY(sinew_tangent_point(NULL, s, NULL, NULL, 0)),
      TRY(sinew_tangent_direction(NULL, s, NULL, NULL, 0)),
      TRY(sinew_tangent_turn(NULL, s, NULL, 0)), TRY(sinew_tangent_world(NULL, s, 0, NULL)),
      TRY(sinew_tangent_value(NULL, c, 0, 0)), TRY(sinew_tangent_differenced(NULL, c)),
      TRY(sinew_program_create(NULL, NULL)), TRY(sinew_program_text(NULL)),
      TRY(sinew_program_operations(NULL)), TRY(sinew_program_fill_class(NULL)),
      TRY(sinew_program_turns(NULL, NULL)), TRY(sinew_program_size(NULL, NULL)),
      TRY(sinew_program_setup(NULL, NULL, NULL)), TRY(sinew_program_of(NULL)),
      TRY(sinew_xml_write(NULL, NULL, NULL, NULL, NULL)),
      TRY(sinew_xml_save(NULL, NULL, NULL, NULL)), TRY(sinew_xml_parse(NULL, NULL, 0, NULL)),
      TRY(sinew_xml_load(NULL, NULL)), TRY(sinew_xml_builder(NULL)),
      TRY(sinew_xml_take_builder(NULL)), TRY(sinew_xml_shape_of(NULL, s)),
      TRY(sinew_xml_label(NULL, d)), TRY(sinew_xml_file(NULL, 0)),
      TRY(sinew_xml_give_file(NULL, 0, NULL, NULL, 0, NULL)), TRY(sinew_xml_foreign(NULL, 0, NULL));
}

/* exceptions: NULL is allowed, or the function only fills a struct, or the engine itself makes the
 * argument */
static bool is_allowed(const char *name) {
  /* clang-format off */
  static const char *const parts[] = {
    "_destroy(", "_release(", "_retain(", "sinew_error_", "sinew_param_", "sinew_add",
    "sinew_wire_dof(", "sinew_wire_output(", "sinew_wire_name(", "sinew_wire_number(",
    "sinew_builder_finish(", "sinew_setup_", "sinew_set_allocator(", "sinew_text_free(",
    "sinew_builder_create(", "sinew_clip_create(", "sinew_xml_schema(", "sinew_surface_create(",
    "sinew_budget_enter(", "sinew_budget_leave(", "sinew_catalog_has("
  };
  /* clang-format on */
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (strstr(name, parts[i])) return true;
  return false;
}

/* the functions of a header that take a pointer and were not called */
static void find_missing(char *text) {
  for (char *at = text; (at = strstr(at, "SINEW_API")); at++) {
    char *open = strchr(at, '('), *end = strchr(at, ';'), *name = open;
    if (!open || !end || end < open || !memchr(open, '*', (size_t)(end - open))) continue;
    while (isalnum((unsigned char)name[-1]) || name[-1] == '_') name--;
    char word[96];
    snprintf(word, sizeof word, " %.*s", (int)(open + 1 - name), name);
    if (strncmp(name, "sinew_", 6) == 0 && !strstr(tried, word) && !is_allowed(word))
      mu_fail(__FILE__, __LINE__, "%s is not tried", word);
  }
}

MU_TEST(a_null_that_is_not_allowed_reaches_the_handler) {
  const char *folder = "engine/include/sinew";
  asserts_begin();
  try_all();
  asserts_end();
  DIR *dir = opendir(folder);
  MU_CHECK(dir);
  int headers = 0;
  for (struct dirent *entry; (entry = readdir(dir));) {
    static char text[1 << 16];
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    FILE *file = strstr(path, ".h") ? fopen(path, "r") : NULL;
    if (!file) continue;
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    find_missing(text);
    headers++;
  }
  closedir(dir);
  MU_CHECK(headers > 20);
}

MU_SUITE(null)
