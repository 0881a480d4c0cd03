import { readFileSync, writeFileSync } from 'node:fs'

// esbuild wraps each file that waits into a method under its path. Nothing calls it by that name, source maps know the
// file without it, and all of them together are a hundredth of an upload.

/**
 * SQL is indented for its readers. A line that begins with one of these words is inside a statement: code is never written like
 * that.
 */
const CONTINUED =
  /\n +(?=(?:AND|CASE|CROSS|DELETE|ELSE|END|EXISTS|FROM|GROUP|INSERT|JOIN|LEFT|LIMIT|NOT|ON|OR|ORDER|RETURNING|SELECT|SET|THEN|UNION|UPDATE|VALUES|WHEN|WHERE) (?!=))/g

const [bundle] = process.argv.slice(2)
if (!bundle) throw new Error('Say which bundle to shorten: node src/local/shorten-bundle.ts <file>')
writeFileSync(
  bundle,
  readFileSync(bundle, 'utf8')
    .replace(/^ {2}"(?:src|node_modules|test)\/[^"]+"\(/gm, '  _(')
    .replace(CONTINUED, ' '),
)
