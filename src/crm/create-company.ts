import { type Company, insertCompany, type NewCompany } from '../access/company.ts'
import { readCreate } from '../engine/records/rows/validate.ts'
import { insert } from '../engine/records/rows/write.ts'
import type { Writer } from '../store/reader.ts'
import { pipeline } from './pipeline.ts'
import { stage } from './stage.ts'

const stages = [
  ['Lead', '#64748b'],
  ['Qualified', '#3b82f6'],
  ['Proposal', '#8b5cf6'],
  ['Negotiation', '#f59e0b'],
  ['Won', '#22c55e', 'won'],
  ['Lost', '#ef4444', 'lost'],
] as const

/** Creates a company whose workspaces have a default pipeline (decision E1). */
export function createCompany(tx: Writer, input: NewCompany): Company {
  return insertCompany(tx, input, insertPipeline)
}

function insertPipeline(tx: Writer): void {
  insert(pipeline, tx, readCreate(pipeline, tx, { name: 'Sales' }), {})
  for (const [name, color, kind] of stages) insert(stage, tx, readCreate(stage, tx, { name, color, kind }), {})
}
