import { renderToString } from 'preact-render-to-string'
import type { Page } from '../page.ts'
import { plain } from '../respond.ts'
import { DocMenu } from './doc-menu.tsx'
import { htmlOf } from './markdown.ts'
import { markdownOf } from './show-doc.tsx'

const VIEWER = '/assets/reference/elements-9.0.25'

/**
 * The API reference: a viewer that is served from here and reads the OpenAPI document, beside the menu of all pages, which lists
 * the calls too. It is a document of its own, because the viewer's style sheet is about everything in it. Without JavaScript it
 * is the Markdown version, which has all calls in short.
 */
export async function showReference(page: Page): Promise<Response> {
  const versioned = (file: string) => `/assets/${file}?v=${page.assetVersion}`
  const text = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference · Holdfast</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${VIEWER}.css">
<link rel="stylesheet" href="${versioned('docs.css')}">
<meta name="color-scheme" content="light dark">
<script src="${VIEWER}.js" defer></script>
<script type="module" src="${versioned('docs-search.js')}"></script>
<script type="module" src="${versioned('docs-reference.js')}"></script>
</head>
<body class="reference">
<div class="docs">
${renderToString(<DocMenu here="reference" takesKey={false} />)}
<main>
<elements-api apiDescriptionUrl="/v1/openapi.json" router="hash" layout="sidebar" hideTryIt="true" hideExport="true"></elements-api>
<noscript><article class="card doc">${htmlOf(await markdownOf(page, 'reference'))}</article></noscript>
</main>
</div>
</body>
</html>
`
  return plain(page, 'text/html', text, { showsReference: true })
}
