import type { Resource } from '../engine/records/definition/resource.ts'
import { activity } from './activity.ts'
import { contact } from './contact.ts'
import { deal } from './deal.ts'
import { file } from './file.ts'
import { lineItem } from './line-item.ts'
import { message } from './message.ts'
import { organization } from './organization.ts'
import { pipeline } from './pipeline.ts'
import { product } from './product.ts'
import { stage } from './stage.ts'
import { task } from './task.ts'

/** The records that people work with. What each of them offers besides its routes is said in its definition. */
export const records: readonly Resource[] = [
  organization,
  contact,
  pipeline,
  deal,
  stage,
  task,
  activity,
  message,
  file,
  product,
  lineItem,
]
