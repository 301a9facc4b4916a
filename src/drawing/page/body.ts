export interface PageParts {
  readonly title: string;
  readonly about: string;
  readonly drawing: string;
}

/** What stands on the page before its script fills it. */
export function pageBody({ title, about, drawing }: PageParts): string {
  return `<header>
<div class="title"><h1>${title}</h1><p>${about}</p></div>
<div class="tools" role="toolbar" aria-label="View">
<input type="search" id="search" placeholder="Find a state" aria-label="Find a state" autocomplete="off" spellcheck="false">
<span id="matches" role="status"></span>
<button type="button" id="out" aria-label="Zoom out" title="Zoom out (-)">−</button>
<button type="button" id="in" aria-label="Zoom in" title="Zoom in (+)">+</button>
<button type="button" id="fit" title="Show all (0)">Fit</button>
<button type="button" id="theme" aria-pressed="false">Dark</button>
<button type="button" id="toggle" aria-controls="panel" aria-expanded="true">Details</button>
</div>
</header>
<main>
<div id="stage" tabindex="0" aria-label="Drawing. Arrow keys move it, plus and minus zoom, 0 shows all." role="region">
${drawing}
<div id="player" role="group" aria-label="Run" hidden>
<p id="where" role="status"></p>
<div class="buttons">
<button type="button" id="back">Back</button>
<button type="button" id="play" class="main">Play</button>
<button type="button" id="step">Step</button>
<button type="button" id="restart">Restart</button>
<button type="button" id="stop" aria-label="Close the run">Close</button>
</div>
</div>
</div>
<aside id="panel" aria-label="Details"></aside>
</main>
<noscript><p class="noscript">The drawing is complete; panning, details and runs need JavaScript.</p></noscript>`;
}
