/** An address with its domain as DNS knows it (RFC 5891), which every mail system takes. The rest stays as it is. */
export function withAsciiDomain(email: string): string {
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1)
  return `${email.slice(0, at)}@${URL.parse(`http://${domain}`)?.hostname || domain}`
}
