import { google, outlook } from './address-books.ts'
import { hubspot, pipedrive, salesforce } from './crm-programs.ts'
import type { FileSource } from './source-columns.ts'

/** The programs whose files are recognized by their header, in the order in which they are tried. */
export const sources: readonly FileSource[] = [pipedrive, google, salesforce, hubspot, outlook]
