import { z } from 'zod';

export const Features = z
  .object({
    self_hosted: z.boolean().meta({ description: 'Whether it is run by its users.' }),
    aws_integration: z.boolean().meta({ description: 'Whether it talks to AWS.' }),
    azure_integration: z.boolean().meta({ description: 'Whether it talks to Azure.' }),
    github_integration: z.boolean().meta({ description: 'Whether it talks to GitHub.' }),
  })
  .meta({ id: 'FeaturesResponse', description: 'What this installation can do.' });
export type Features = z.infer<typeof Features>;
