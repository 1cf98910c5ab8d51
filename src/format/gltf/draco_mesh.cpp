// SPDX-License-Identifier: MIT
#include "format/gltf/draco_mesh.h"

#ifdef HAVE_DRACO

#include <algorithm>
#include <cstring>
#include <new>

#include <draco/compression/decode.h>
#include <draco/core/draco_version.h>
#include <draco/mesh/mesh.h>

#define _Noreturn [[noreturn]]
extern "C" {
#include "base/memory.h"
}

namespace
{

const size_t FREE_INDICES = 1 << 16, INDICES_PER_BYTE = 12;
const int MAX_COMPONENTS = 48; // of all attributes: glTF names 42
const uint8_t MAX_SEAMED = 16; // attributes that have seams of their own
const uint16_t HAS_METADATA = 1 << 15;

// The decoder allocates what a stream declares, also for attributes that glTF does not name.
class BoundedMesh : public draco::Mesh
{
  public:
    void SetAttribute(int id, std::unique_ptr<draco::PointAttribute> attribute) override
    {
        components_ += attribute->num_components();
        if (components_ > MAX_COMPONENTS) { // one without components cannot be decoded
            draco::GeometryAttribute none;
            none.Init(draco::GeometryAttribute::GENERIC, nullptr, 0, draco::DT_INT8, false, 0, 0);
            attribute = std::unique_ptr<draco::PointAttribute>(new draco::PointAttribute(none));
        }
        draco::Mesh::SetAttribute(id, std::move(attribute));
    }

  private:
    int components_ = 0;
};

struct Bits {
    const uint8_t *at, *end;
    bool failed;
};

uint32_t read_byte(Bits &b)
{
    b.failed |= b.at == b.end;
    return b.failed ? 0 : *b.at++;
}

uint32_t read_varint(Bits &b) // seven bits a byte, the lowest first
{
    uint64_t value = 0;
    for (int shift = 0; shift < 35; shift += 7) {
        const uint32_t byte = read_byte(b);
        value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            return (uint32_t)std::min<uint64_t>(value, UINT32_MAX);
    }
    b.failed = true;
    return 0;
}

/*
 * "DRACO", u8 2, u8 2, u8 1 (a mesh), u8 method, u16 flags.  Method 0: varint faces, points.  1: u8
 * traversal, varint vertices, faces, u8 attributes with seams, varint symbols.  (Draco's bitstream
 * specification.)
 */
const char *check_header(const DracoMesh &mesh, Bytes bytes)
{
    Bits b = {bytes.data + 11, bytes.data + bytes.size, false};
    if (bytes.size < 11 || std::memcmp(bytes.data, "DRACO\2\2\1", 8) != 0 || bytes.data[8] > 1)
        return "is no mesh of version 2.2";
    if ((bytes.data[9] | bytes.data[10] << 8) & HAS_METADATA)
        return "has metadata, which glTF does not allow";
    const bool seams = bytes.data[8] == 1;
    uint32_t points = 0, attributes = 0, symbols = 0;
    if (seams) {
        read_byte(b);
        points = read_varint(b);
    }
    const uint32_t faces = read_varint(b);
    if (!seams)
        points = read_varint(b);
    if (seams) {
        attributes = read_byte(b);
        symbols = read_varint(b);
    }
    if (b.failed || faces > mesh.index_count / 3 || points > mesh.index_count || symbols > faces)
        return "is larger than its accessors say";
    if (attributes > MAX_SEAMED)
        return "has more attributes than a mesh of glTF";
    if (faces > (FREE_INDICES + INDICES_PER_BYTE * bytes.size) / 3)
        return "has more triangles than so few bytes can describe";
    return nullptr;
}

const char *fill(DracoMesh &out, const draco::Mesh &mesh)
{
    if (mesh.num_faces() > out.index_count / 3 || mesh.num_points() > out.point_count)
        return "is larger than its accessors say";
    out.index_count = mesh.num_faces() * 3;
    out.point_count = mesh.num_points();
    for (uint32_t i = 0; i < out.index_count; i++)
        out.indices[i] = (float)mesh.face(draco::FaceIndex(i / 3))[i % 3].value();
    for (uint32_t a = 0; a < out.attribute_count; a++) {
        const DracoAttribute &to = out.attributes[a];
        const draco::PointAttribute *from = mesh.GetAttributeByUniqueId(to.id);
        if (!from)
            return "lacks an attribute that the file names";
        for (uint32_t i = 0; i < out.point_count; i++) {
            float *values = to.values + (size_t)i * to.components;
            const draco::AttributeValueIndex at = from->mapped_index(draco::PointIndex(i));
            int32_t whole[16] = {0};
            if (from->data_type() == draco::DT_FLOAT32 || from->data_type() == draco::DT_FLOAT64) {
                if (!from->ConvertValue<float>(at, (int8_t)to.components, values))
                    return "has an attribute of an unknown kind";
                continue;
            }
            if (!from->ConvertValue<int32_t>(at, (int8_t)to.components, whole))
                return "has an attribute of an unknown kind";
            for (uint32_t k = 0; k < to.components; k++)
                values[k] =
                    to.scale > 0 ? std::max((float)whole[k] * to.scale, -1.0f) : (float)whole[k];
        }
    }
    return nullptr;
}

} // namespace

const char *draco_mesh_read(DracoMesh *out, Bytes bytes)
{
    const char *wrong = check_header(*out, bytes);
    if (wrong)
        return wrong;
    const std::new_handler before = std::set_new_handler([] { memory_exhausted(0); });
    BoundedMesh mesh;
    draco::DecoderBuffer buffer;
    draco::Decoder decoder;
    buffer.Init(reinterpret_cast<const char *>(bytes.data), bytes.size);
    wrong = decoder.DecodeBufferToGeometry(&buffer, static_cast<draco::Mesh *>(&mesh)).ok()
                ? fill(*out, mesh)
                : "is damaged";
    std::set_new_handler(before);
    return wrong;
}

const char *draco_mesh_version(void)
{
    return draco::kDracoVersion;
}

#else

const char *draco_mesh_read(DracoMesh *, Bytes)
{
    return "cannot be read: this program was built without Draco";
}

const char *draco_mesh_version(void)
{
    return nullptr;
}

#endif
