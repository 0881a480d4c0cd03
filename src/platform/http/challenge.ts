/** What a 401 says in `WWW-Authenticate`: how to authenticate and, if credentials were sent, why they were refused (RFC 6750). */
export function challengeOf(request: Request, why: string): string {
  const isSent = request.headers.has('authorization') || new URL(request.url).searchParams.has('token')
  // A quoted string has no quotes, no backslashes and nothing outside of ASCII here.
  return isSent
    ? `Bearer error="invalid_token", error_description="${why.replace(/[^ !#-[\]-~]/g, "'")}"`
    : 'Bearer'
}
