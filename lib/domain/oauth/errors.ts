import { ApiError } from '#lib/core/errors.ts'

/** The errors of RFC 6749 (4.1.2.1, 5.2), RFC 8707 and RFC 7591, and those of the interface. */
export type OAuthCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'invalid_target'
  | 'access_denied'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'
  | 'client_not_found'
  | 'redirect_uri_mismatch'
  | 'not_approved'

/** A refusal in OAuth's words: `{error, error_description}`. 401 for a client that is not who it says. */
export class OAuthError extends ApiError {
  constructor(
    readonly error: OAuthCode,
    message: string,
    status?: number,
  ) {
    super(error === 'invalid_client' ? 'UNAUTHORIZED' : 'BAD_REQUEST', message, undefined, status)
  }
}

/** Refuses in OAuth's words. */
export const refuse = (error: OAuthCode, message: string): never => {
  throw new OAuthError(error, message)
}
