// Names for what the theme leaves nameless to those who listen to a page.
document$.subscribe(() => {
  document.querySelector(".md-search")?.setAttribute("aria-label", "Search");
  document.querySelectorAll(".md-code__nav").forEach((nav, number) => {
    nav.setAttribute("aria-label", `Code ${number + 1}`);
  });
});
