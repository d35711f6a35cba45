import { bug, type Meaning, missing, taken, wrong } from './meaning.ts'

/** What the constraints and guards of OAuth mean. */
export const oauthMeanings = (): Record<string, Meaning> => ({
  oauth_clients_client_id: bug,
  oauth_clients_member_fk: bug,
  oauth_clients_owner: bug,
  oauth_clients_type: bug,
  oauth_clients_status: bug,
  oauth_clients_secret: bug,
  oauth_clients_previous: bug,
  oauth_clients_redirects: wrong('redirectUris', 'must have 1 to 20 items'),
  oauth_clients_scopes: wrong('scopes', 'must have at least 1 item'),
  oauth_clients_limit: taken('An account has at most 50 OAuth clients'),
  oauth_grants_member_fk: bug,
  oauth_grants_client_fk: missing('OAuth client'),
  oauth_grants_scopes: bug,
  oauth_codes_hash: bug,
  oauth_codes_member_fk: bug,
  oauth_codes_client_fk: missing('OAuth client'),
  oauth_codes_grant_fk: bug,
  oauth_codes_life: bug,
  oauth_codes_used: taken('The code was used already'),
  oauth_refresh_tokens_hash: bug,
  oauth_refresh_tokens_live: bug,
  oauth_refresh_tokens_used: taken('The refresh token was used already'),
  oauth_refresh_tokens_grant_fk: bug,
  oauth_keys_current: bug,
})
