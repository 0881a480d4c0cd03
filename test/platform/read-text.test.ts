import { describe, expect, it, vi } from 'vitest'
import { readStart, readText } from '../../src/platform/transport/read-text.ts'

const bytes = new TextEncoder().encode('ä day')
const tooLong = () => new Error('too long')

/** A body of these chunks, which ends, breaks off or hangs after them. */
function bodyOf(chunks: readonly Uint8Array[], then: 'ends' | 'breaks' | 'hangs') {
  const left = [...chunks]
  const cancel = vi.fn(() => new Promise<void>(() => {}))
  const pull = (controller: ReadableStreamDefaultController) => {
    const chunk = left.shift()
    if (chunk) return controller.enqueue(chunk)
    if (then === 'ends') controller.close()
    if (then === 'breaks') controller.error(new Error('broke off'))
    return new Promise<void>(() => {})
  }
  return { response: new Response(new ReadableStream({ pull, cancel })), cancel }
}

describe('the body of an answer', () => {
  it('is read whole, even if a chunk ends in the middle of a character', async () => {
    const { response } = bodyOf([bytes.subarray(0, 1), bytes.subarray(1)], 'ends')
    expect(await readText(response, { maxBytes: bytes.length, tooLong })).toBe('ä day')
    expect(await readText(new Response(null, { status: 204 }), { maxBytes: 0, tooLong })).toBe('')
  })

  it('is given up and released as soon as it is too long, even if that hangs', async () => {
    const { response, cancel } = bodyOf([bytes, bytes], 'hangs')
    await expect(readText(response, { maxBytes: bytes.length, tooLong })).rejects.toThrow('too long')
    expect(cancel).toHaveBeenCalledOnce()
  })

  it('is waited for until the signal ends, and fails as it breaks off', async () => {
    const patience = new AbortController()
    const { response, cancel } = bodyOf([bytes], 'hangs')
    const reading = readText(response, { maxBytes: 100, tooLong, signal: patience.signal })
    patience.abort(new Error('too late'))
    await expect(reading).rejects.toThrow('too late')
    expect(cancel).toHaveBeenCalledOnce()
    const after = readText(bodyOf([], 'ends').response, { maxBytes: 100, tooLong, signal: patience.signal })
    await expect(after).rejects.toThrow('too late')
    const broken = readText(bodyOf([bytes], 'breaks').response, { maxBytes: 100, tooLong })
    await expect(broken).rejects.toThrow('broke off')
  })

  it('is known by its start if no more is needed or comes', async () => {
    const { response, cancel } = bodyOf([bytes, bytes], 'hangs')
    expect(await readStart(response, 4)).toBe('ä d')
    expect(cancel).toHaveBeenCalledOnce()
    expect(await readStart(bodyOf([bytes], 'breaks').response, 100)).toBe('ä day')
    expect(await readStart(bodyOf([bytes], 'ends').response, 1)).toBe('')
  })
})
