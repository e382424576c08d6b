import type { Resource } from '../engine/define.ts'
import { contact } from './contact.ts'
import { organization } from './organization.ts'

/** Every resource that is served. What is listed here is routed, documented and tested. */
export const resources: readonly Resource[] = [organization, contact]
