import { describe, expect, it } from 'vitest'
import { verifyAssertion } from '../../src/platform/auth/web-authn.ts'
import { tampered } from '../support/authenticator.ts'

const KEY =
  '-7.MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEkJsy72u5Nlp3L1KxDZZPVDHufzsIHp4kS-CWyeOWV6qGuEzaRydT5HUox6jwOiqYJS0YpI886gcqbQJ9wiEGeQ'
const EXPECTED = { rpId: 'book.example', origin: 'https://book.example', challenge: 'Y2hhbGxlbmdl' }

function assertionWith(signature: string): string {
  const response = {
    clientDataJSON:
      'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiWTJoaGJHeGxibWRsIiwib3JpZ2luIjoiaHR0cHM6Ly9ib29rLmV4YW1wbGUifQ',
    authenticatorData: 's8tmmyoBqddEI-Ajesk4rU5HmGA827YZmyJyy0WCRZIFAAAAAA',
    signature,
  }
  return JSON.stringify({ id: 'a', rawId: 'a', type: 'public-key', response })
}

describe('an assertion of ES256', () => {
  // One of 128 has a number that is shorter than the others: what counts on 32 bytes refuses it.
  it.each([
    ['first', 'MEMCH2RCe9onRtpa_4yDF2LrtA_AVzozNfqTP8dAGPzSImUCIETePwtVFXKCEOimnbs-2sSoJnZCYcrSpwbweNg1bGFM'],
    [
      'second',
      'MEMCIHGCNi3NFjlISdz5x7OefqGGnr8PKWUbgYRfSu11zGV5Ah8HFjzJ4e6iMXGv3nIRxETrWLeJTP22R76f8yX3GZZq',
    ],
  ])('holds if the %s number of its signature is short', async (_, signature) => {
    const assertion = assertionWith(signature)
    expect(await verifyAssertion(assertion, KEY, EXPECTED)).toBe(0)
    expect(await verifyAssertion(tampered(assertion), KEY, EXPECTED)).toBe(null)
  })
})
