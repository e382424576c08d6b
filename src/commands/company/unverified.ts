import type { Reader } from '../../store/reader.ts'

/** The file of a company, whose definitions are Kontor's, but whose rows may be anything. */
export interface Unverified {
  access: Reader
  inWorkspace: (id: number) => Reader
  companyId: string
}
