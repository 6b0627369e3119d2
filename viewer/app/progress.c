/* A job that keeps the window busy: how far it is, and a button to stop it. */
#include "app/app.h"
#include "ui/input.h"
#include "ui/theme.h"

#include <math.h>

static const double draw_every = 0.1, show_after = 0.3; /* seconds */

static struct {
  const char *title;
  double since, drawn;
  bool stopped, closed;
} job;

void progress_bar(ui *u, Rectangle r, float done) {
  Rectangle part = r;
  part.width *= done >= 0 ? fminf(done, 1) : 0.25f;
  if (done < 0) part.x += (r.width - part.width) * (0.5f - 0.5f * cosf((float)GetTime() * 2));
  ui_box(u, r, theme_field);
  if (part.width >= 1) ui_box(u, part, theme_action);
}

void progress_begin(const char *title) {
  job.title = title;
  job.since = job.drawn = GetTime();
  job.stopped = job.closed = false;
}

/* in the middle of the scene; returns whether it was stopped */
static bool draw_panel(state *st, float done) {
  ui *u = &st->ui;
  float row = ui_row(u), pad = ui_px(u, theme_s4), width = fminf(st->place.width, ui_px(u, 320));
  Rectangle in = { st->place.x + (st->place.width - width) / 2,
                   st->place.y + st->place.height / 2 - 2 * row, width, 4 * row };
  Rectangle stop = { in.x + in.width - pad - ui_px(u, 96), in.y + in.height - row - pad / 2,
                     ui_px(u, 96), row };
  ui_float(u, in);
  const char *words =
      done < 0 ? job.title : TextFormat("%s: %.0f %%", job.title, 100 * (double)done);
  ui_label_in(u, words, in.x + pad, in.y + pad / 2, in.width - 2 * pad, theme_text);
  progress_bar(
      u, (Rectangle){ in.x + pad, in.y + pad / 2 + 1.3f * row, in.width - 2 * pad, row / 3 }, done);
  return ui_button(u, ui_id("progress", 1), stop, "Stop (Esc)");
}

bool progress_go_on(state *st, float done) {
  double now = GetTime();
  if (job.stopped || now - job.since < show_after || now - job.drawn < draw_every)
    return !job.stopped;
  ui_frame_begin(&st->ui);
  BeginDrawing();
  ClearBackground(theme_window);
  app_draw_scene(st);
  job.stopped = draw_panel(st, done) || IsKeyPressed(KEY_ESCAPE);
  ui_frame_end(&st->ui);
  input_before_poll();
  EndDrawing();
  input_after_poll();
  switch (input_ended()) {
  case INPUT_CLOSED: job.closed = job.stopped = true; break;
  case INPUT_INTERRUPTED: st->quit = job.stopped = true; break;
  default: break;
  }
  job.drawn = GetTime();
  return !job.stopped;
}

bool progress_end(state *st) {
  if (job.closed) documents_leave(st, NULL);
  return !job.stopped;
}
