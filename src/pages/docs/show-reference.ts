import type { Page } from '../page.ts'
import { plain } from '../respond.ts'

const VIEWER = '/assets/reference/elements-9.0.25'

/** The API reference: a viewer that is served from here and reads the OpenAPI document. */
export async function showReference(page: Page): Promise<Response> {
  const text = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference · Holdfast</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${VIEWER}.css">
<link rel="stylesheet" href="/assets/docs.css?v=${page.assetVersion}">
<meta name="color-scheme" content="light dark">
<script src="${VIEWER}.js" defer></script>
<script type="module" src="/assets/docs.js?v=${page.assetVersion}"></script>
</head>
<body class="reference">
<p class="doc-links"><a href="/docs">Documentation</a> <a href="/docs/errors">Errors</a> <a href="/docs/events">Events</a></p>
<elements-api apiDescriptionUrl="/v1/openapi.json" router="hash" layout="responsive" hideTryIt="true" hideExport="true"></elements-api>
<noscript><p>The reference needs JavaScript. <a href="/v1/openapi.json">The OpenAPI document</a> says the same.</p></noscript>
</body>
</html>
`
  return plain(page, 'text/html', text, { showsReference: true })
}
