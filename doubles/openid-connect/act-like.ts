import type { Settings } from './state.ts'

/**
 * What `PUT /control {like}` sets before the other settings of the same call. «Thin» and the like are those of
 * hold-provider.ts; what is not named here stays as the specifications have it.
 */
export const LIKENESSES: Readonly<Record<string, Partial<Settings>>> = {
  /**
   * developers.google.com/identity/openid-connect/openid-connect: `azp` always, `hd` for people of an organization (a
   * claim of the person here). No `iss` in the answer. Its own `iss` may lack `https://`: coreos/go-oidc#125.
   */
  google: { namesIssuer: false, hasAuthorizedParty: true, cacheSeconds: 3600 },

  /**
   * Any address may be in `email` (descope.com/blog/post/noauth); apps registered since June 2023 get only verified domains:
   * learn.microsoft.com/entra/identity-platform/migrate-off-email-claim-authorization. The issuer of `common` and `organizations`
   * is a template (MicrosoftDocs/azure-docs#113944, panva/openid-client#893). No `email_verified`; `xms_edov` only on request
   * (coder/coder#26380, learn.microsoft.com/entra/identity-platform/optional-claims-reference). No `at_hash` from the token
   * endpoint (DuendeArchive/IdentityModel.OidcClient#55), keys without `alg` (cloudamqp/lavinmq#2124), `nbf`
   * (id-token-claims-reference).
   */
  entra: {
    issuerPath: '/{tenantid}/v2.0',
    namesIssuer: false,
    hasAtHash: false,
    notBeforeSeconds: 0,
    keysLack: ['alg'],
    usualClaims: { ver: '2.0' },
    neverTells: ['email_verified'],
  },

  /**
   * Thin id_tokens: with `email`, without `email_verified`, which is at the userinfo endpoint
   * (UsefulSoftwareCo/executor#1972, canonical/authd#1440; support.okta.com, Okta-Groups-or-Attribute-Missing-from-Id-Token).
   * There it may be false for people whom a directory brought: sandbox-quantum/switch#387.
   */
  okta: { namesIssuer: false, idTokenTells: 'name and address', usualClaims: { ver: 1, amr: ['pwd'] } },

  /** The issuer ends with a slash: damienbod/angular-auth-oidc-client#2124. */
  auth0: { issuerPath: '/', namesIssuer: false },

  /** So does its issuer, which has a path: diegosouzapw/OmniRoute#14144, Morelitea/initiative#1771. */
  authentik: { issuerPath: '/application/o/holdfast/', namesIssuer: false },

  /**
   * `iss` and `session_state` come with each answer (ory/polis#2074, keycloak/keycloak#27528), a key for encryption is among
   * the keys (jpadilla/pyjwt#722, greenpau/caddy-security#170), codes live a minute, `typ` and `azp` are in the token.
   */
  keycloak: {
    issuerPath: '/realms/holdfast',
    usualAnswer: { session_state: '13c1a2b0-6a1e-4f6f-9a52-6f7b7a3f2b6e' },
    usualClaims: { typ: 'ID', acr: '1', sid: '13c1a2b0-6a1e-4f6f-9a52-6f7b7a3f2b6e' },
    hasAuthorizedParty: true,
    hasStrangeKeys: true,
    unknownScopesAre: 'refused',
    codeLifetimeSeconds: 60,
    idTokenLifetimeSeconds: 300,
  },

  /**
   * Texts for booleans at the userinfo endpoint (zitadel/oidc#139), `token_use`; the endpoints are at another host than the
   * issuer (DuendeArchive/IdentityModel.OidcClient#81), which one world cannot show.
   */
  cognito: {
    issuerPath: '/eu-central-1_Example',
    namesIssuer: false,
    userinfoHasTexts: true,
    usualClaims: { token_use: 'id' },
  },

  /** Core 5.4 exactly: the claims of scopes are at the userinfo endpoint. homarr-labs/homarr#2635, IgnisDa/ryot#1317 */
  authelia: { idTokenTells: 'nothing', hasAuthorizedParty: true, usualClaims: { amr: ['pwd'] } },
}
