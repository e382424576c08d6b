import type { Resource } from '../engine/define.ts'
import { activity } from './activity.ts'
import { contact } from './contact.ts'
import { deal } from './deal.ts'
import { organization } from './organization.ts'
import { stage } from './stage.ts'
import { task } from './task.ts'
import { user } from './user.ts'

/** Every resource that is served. What is listed here is routed, documented and tested. */
export const resources: readonly Resource[] = [organization, contact, deal, stage, task, activity, user]
