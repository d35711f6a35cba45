import { SCOPES } from '#lib/core/scopes.ts'

/** The path of the tool server. */
const TOOLS = '/api/mcp'

/** The resources that tokens are given for: the API, and the tool server. The first is meant by default. */
export const resourcesOf = (publicUrl: string): [api: string, tools: string] => [
  publicUrl,
  `${publicUrl}${TOOLS}`,
]

/** Which of our resources an address means; undefined for one that is not ours. */
export function audienceOf(publicUrl: string, resource: string): string | undefined {
  const [api, tools] = resourcesOf(publicUrl)
  const meant = resource.replace(/\/$/, '')
  if (meant === api || meant === `${api}/api`) return api
  return meant === tools || meant === `${tools}/sse` ? tools : undefined
}

/** What clients ask of how authorization works here (RFC 8414). */
export const serverMetadata = (publicUrl: string) => ({
  issuer: publicUrl,
  authorization_endpoint: `${publicUrl}/auth/oauth2/authorize`,
  token_endpoint: `${publicUrl}/api/auth/oauth/token`,
  registration_endpoint: `${publicUrl}/api/auth/oauth/register`,
  revocation_endpoint: `${publicUrl}/api/auth/oauth/revoke`,
  jwks_uri: `${publicUrl}/api/auth/oauth/jwks`,
  scopes_supported: [...SCOPES],
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none', 'client_secret_post', 'client_secret_basic'],
  revocation_endpoint_auth_methods_supported: ['none', 'client_secret_post', 'client_secret_basic'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  service_documentation: `${publicUrl}/docs`,
})

/** Where tokens for a resource come from (RFC 9728): for the tool server, or for the API. */
export function resourceMetadata(publicUrl: string, isForTools: boolean) {
  const [api, tools] = resourcesOf(publicUrl)
  return {
    resource: isForTools ? tools : api,
    authorization_servers: [publicUrl],
    scopes_supported: isForTools ? ['mcp'] : SCOPES.filter(scope => scope !== 'mcp'),
    bearer_methods_supported: ['header'],
    resource_name: isForTools ? 'Almanac tools' : 'Almanac',
    resource_documentation: `${publicUrl}/docs`,
  }
}

/** Where the metadata of a resource is found, as a 401 says (RFC 9728 section 5.1). */
export const resourceMetadataUrl = (publicUrl: string, isForTools: boolean): string =>
  `${publicUrl}/.well-known/oauth-protected-resource${isForTools ? TOOLS : ''}`
