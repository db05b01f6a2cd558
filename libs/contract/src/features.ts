import { z } from 'zod';

export const Features = z
  .object({
    self_hosted: z.boolean(),
    aws_integration: z.boolean(),
    azure_integration: z.boolean(),
    github_integration: z.boolean(),
  })
  .meta({ id: 'FeaturesResponse' });
export type Features = z.infer<typeof Features>;
