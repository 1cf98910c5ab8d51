#include "job/job_cloth.h"

/* The item of the list, for messages; the list or the job if the file does not have it. */
static const YamlNode *cloth_node(const YamlNode *root, size_t index)
{
    const YamlNode *list = yaml_find(root, "cloth");
    const YamlNode *item = list ? yaml_item(list, index) : NULL;
    return item ? item : list ? list : root;
}

bool job_cloth_check(const Job *job, const YamlNode *root, OptionReader *reader)
{
    bool good = true;
    for (size_t i = 0; i < job->cloth_count; i++) {
        const JobCloth *cloth = &job->cloth[i];
        if (!cloth->material == !cloth->shape)
            good = option_error(reader, cloth_node(root, i),
                                "cloth.%zu: exactly one of material and shape must be given", i);
        else if (cloth->shape && !cloth->pin_bone && !cloth->pin_bone_count)
            good =
                option_error(reader, cloth_node(root, i),
                             "cloth.%zu.pin: a cloth with a shape needs at least one pin bone", i);
    }
    return good;
}
