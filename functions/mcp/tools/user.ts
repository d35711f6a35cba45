import { Paging } from '#lib/core/schemas.ts'
import { listOutOfOffice } from '#lib/domain/out-of-office/operations.ts'
import { OutOfOfficeFilter } from '#lib/domain/out-of-office/schema.ts'
import { getMe, listApiKeys, updateProfile } from '#lib/domain/users/operations.ts'
import { ProfileChange } from '#lib/domain/users/schema.ts'
import { Nothing, reads, type Tools, updates } from '#lib/mcp/tool.ts'
import { ANSWER } from '../answers.ts'

/** The user of the key. */
export const tools: Tools = {
  get_current_user: reads(
    'Who you act for: name, e-mail address, time zone, role and username. Call it first to learn the time zone in which the user speaks of times.',
    Nothing,
    getMe,
    ANSWER.me,
  ),
  update_user_profile: updates(
    'Change the profile of the user you act for; what is left out stays.',
    ProfileChange,
    updateProfile,
    ANSWER.me,
  ),
  list_api_keys: reads(
    'List the API keys of the user: what each is for, when it was used and how it ends. The keys themselves are never shown.',
    Paging,
    listApiKeys,
    ANSWER.apiKeys,
  ),
  get_out_of_office: reads(
    'List when the user is away, or another user whom you name; nobody can book them then.',
    OutOfOfficeFilter,
    (m, filter) => listOutOfOffice(m, { userId: m.userId, ...filter }),
    ANSWER.absences,
  ),
}
