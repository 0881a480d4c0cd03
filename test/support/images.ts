import { env, exports } from 'cloudflare:workers'
import { freshAddress, type Json } from './app.ts'

const HEADS = {
  png: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  jpeg: [0xff, 0xd8, 0xff, 0xe0],
  webp: [...new TextEncoder().encode('RIFF\x04\0\0\0WEBPVP8 ')],
} as const

let last = 0

/** What begins as an image of the format does, `size` bytes long; one `seed` makes one image, and none another one each time. */
export function imageBytes(format: keyof typeof HEADS, size = 64, seed = ++last): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size)
  bytes.set(HEADS[format])
  bytes.set([seed & 255, seed >> 8], size - 2)
  return bytes
}

/** One that calls send as it is, because it is text as well. */
export const IMAGE_AS_TEXT = 'RIFF\x04\0\0\0WEBPVP8 ' as unknown as Json

type Fetch = (request: Request) => Promise<Response> | Response

/** Uploads an image with a key. */
export async function upload(
  path: string,
  key: string,
  body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>,
  {
    headers = {},
    send = (request) => exports.default.fetch(request),
  }: { headers?: object; send?: Fetch } = {},
): Promise<{ readonly status: number; readonly body: any }> {
  const response = await send(
    new Request(`https://holdfast.test${path}`, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${key}`, 'CF-Connecting-IP': freshAddress(), ...headers },
      body,
    }),
  )
  return { status: response.status, body: await response.json() }
}

/** What everybody gets at the address of an image. */
export async function imageAt(url: string, send: Fetch = (request) => exports.default.fetch(request)) {
  const headers = { 'CF-Connecting-IP': freshAddress() }
  const response = await send(new Request(`https://holdfast.test${new URL(url).pathname}`, { headers }))
  return {
    status: response.status,
    headers: response.headers,
    bytes: new Uint8Array(await response.arrayBuffer()),
  }
}

/** How many images of the organization the database has. */
export async function imagesOf(organizationId: string): Promise<number> {
  const counted = env.DB.prepare('SELECT count(*) AS n FROM images WHERE organization_id = ?')
  return (await counted.bind(organizationId).first<number>('n'))!
}
