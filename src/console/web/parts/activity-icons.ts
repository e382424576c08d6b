import { Mail, NotebookPen, Phone, Star, Users } from 'lucide'

export const activityIcons: Record<string, unknown> = {
  call: Phone,
  email: Mail,
  meeting: Users,
  note: NotebookPen,
  rating: Star,
}
