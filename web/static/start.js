// Runs before the page's own code, and loads the page once more if that fails: its files may be of two versions.

addEventListener(
  "error",
  () => {
    const [loaded] = performance.getEntriesByType("navigation");
    if (document.getElementById("late") && loaded && loaded.type !== "reload") location.reload();
  },
  true,
);
