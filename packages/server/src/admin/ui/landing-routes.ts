import { htmlHeaders } from '@burgee/kit/http/html'
import { Reply } from '@burgee/kit/http/route'
import { toOrigin } from '../../core/http/callers.ts'
import { type Routes, route } from '../../core/http/route.ts'

const HEADERS = htmlHeaders()

/**
 * Route for the landing page that is shown if there is no admin UI. The page shows that the server is running and how
 * to use its API.
 */
export const landingRoutes: Routes = [
  route({
    method: 'GET',
    url: '/',
    permission: 'public',
    tag: 'System',
    summary: 'Returns the landing page.',
    replies: { 200: { description: 'The page', contentType: 'text/html' } },
    problems: [],
    handle: ({ caller }, { options }) =>
      new Reply(200, page(getOrigin(caller.headers.host), options.baseUriPath), HEADERS),
  }),
]

/**
 * Returns the origin under which the browser has reached the server, for the commands that users copy from the page.
 * The host comes from the request; an invalid host is ignored.
 */
function getOrigin(host: string | undefined): string {
  return toOrigin('http', host) ?? 'http://localhost:4242'
}

const page = (origin: string, basePath: string): string => `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Burgee</title>
<style>
:root { color-scheme: light dark; }
body { font: 16px/1.6 system-ui, sans-serif; max-width: 44rem; margin: 4rem auto; padding: 0 1.5rem; }
pre { padding: 1rem; border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: .5rem; overflow-x: auto; }
</style>
</head>
<body>
<main>
<h1>Burgee is running</h1>
<p>This is the feature-flag server. It is administered through its HTTP API.</p>
<h2>Log in</h2>
<pre><code>curl -c cookies.txt -H 'content-type: application/json' \\
  -d '{"username":"admin","password":"&lt;password&gt;"}' \\
  ${origin}${basePath}/auth/simple/login</code></pre>
<h2>List the flags, turn one off</h2>
<pre><code>curl -b cookies.txt ${origin}${basePath}/api/admin/projects/default/features

curl -b cookies.txt -X POST -H 'origin: ${origin}' \\
  ${origin}${basePath}/api/admin/projects/default/features/new-checkout/environments/development/off</code></pre>
<p>Status: <a href="${basePath}/health">health</a>, <a href="${basePath}/ready">ready</a>.</p>
</main>
</body>
</html>
`
